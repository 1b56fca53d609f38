/**
 * Runs the main function of a command. An error is printed in one line, without its stack; its exit code is 1.
 * @param main returns or resolves with false when the command failed without an error
 * @param options.exits ends the process at once, although a handle may still be open
 */
export const runMain = async (main: () => unknown, { exits = false }: { exits?: boolean } = {}): Promise<void> => {
  try {
    process.exitCode = (await main()) === false ? 1 : 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
  if (exits) process.exit()
}
