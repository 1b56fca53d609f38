/** Waits for all, then throws the first failure: only completed parts can be undone. */
export const settle = async <T extends readonly unknown[]>(
  ...promises: { [K in keyof T]: Promise<T[K]> }
): Promise<T> => {
  await Promise.allSettled(promises)
  return (await Promise.all(promises)) as unknown as T
}
