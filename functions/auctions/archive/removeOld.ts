import { describeError } from '#shared/http/describeError.ts'

/**
 * Deletes rows that have reached their end. A failure is logged, and the next run continues.
 * @param name of the rows in the log
 * @param remove deletes a bounded number of rows; returns how many
 */
export const removeOld = async (name: string, remove: () => Promise<number>): Promise<void> => {
  try {
    const deleted = await remove()
    if (deleted > 0) console.log(JSON.stringify({ message: `${name} deleted`, deleted }))
  } catch (error) {
    console.error(JSON.stringify({ message: `${name} could not be deleted`, cause: describeError(error) }))
  }
}
