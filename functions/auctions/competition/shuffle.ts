/** A random permutation (Fisher–Yates). */
export const shuffle = <T>(items: readonly T[], random: () => number = Math.random): T[] => {
  const rest = [...items]
  const shuffled: T[] = []
  while (rest.length > 0) shuffled.push(...rest.splice(Math.floor(random() * rest.length), 1))
  return shuffled
}
