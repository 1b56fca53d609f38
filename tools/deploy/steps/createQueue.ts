import { type RunWrangler, WranglerError } from '../runWrangler.ts'

/**
 * Creates a queue unless it exists.
 * @returns whether it was created
 * @throws WranglerError
 */
export const createQueue = async (run: RunWrangler, name: string): Promise<boolean> => {
  const known = await run(['queues', 'info', name])
  if (known.succeeded) return false
  const made = await run(['queues', 'create', name])
  if (!made.succeeded) throw new WranglerError(made.output)
  return true
}
