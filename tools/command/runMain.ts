/**
 * Runs the main function of a command. An error is printed in one line, without its stack; its exit code is 1.
 * @param main returns or resolves with false when the command failed without an error
 * @param options.exits ends the process at once, although a handle may still be open
 */
export const runMain = async (main: () => unknown, { exits = false }: { exits?: boolean } = {}): Promise<void> => {
  try {
    process.exitCode = (await main()) === false ? 1 : 0
  } catch (error) {
    console.error(error instanceof Error ? describe(error) : error)
    process.exitCode = 1
  }
  if (exits) process.exit()
}

/** An error of viem without the URL of the node, which holds a key. */
const describe = (error: Error): string => {
  if (!('shortMessage' in error && 'details' in error)) return error.message
  const text = `${error.shortMessage} ${error.details}`.replaceAll(/\s+/g, ' ').trim()
  const host = findHost(error)
  return host ? `the node of RPC_URL or --rpc, ${host}: ${text}` : text
}

/** Host of the request that failed. */
const findHost = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  return 'url' in error ? URL.parse(String(error.url))?.host : findHost(error.cause)
}
