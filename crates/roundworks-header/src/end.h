
#ifdef __cplusplus
}
#endif

#endif /* ROUNDWORKS_H */
