"""The compiled library executed on symbols, and compared with the descriptions for all inputs."""
