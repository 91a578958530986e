"""What is put to each other tool, and how; of queries that both can solve alone."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """A cipher of our catalogue, a measure over a number of rounds, and the solver that the other tool is given."""

    cipher: str
    measure: str
    rounds: int
    solver: str
    view: str = "differential"

    @property
    def scale(self) -> int:
        """What their value is multiplied by: a linear trail weighs its correlation there, and the square of it here."""
        return 2 if (self.measure, self.view) == ("trail", "linear") else 1

    def __str__(self) -> str:
        return f"{self.cipher}, {self.measure}, {self.view}, {self.rounds} rounds"
