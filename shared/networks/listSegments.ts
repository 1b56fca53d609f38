/** The path segments that name a network. */
export const listSegments = ({
  name,
  chainId,
  aliases,
}: {
  name: string
  chainId: number
  aliases: readonly string[]
}): string[] => [name, String(chainId), ...aliases]
