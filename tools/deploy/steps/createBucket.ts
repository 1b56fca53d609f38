import { type RunWrangler, WranglerError } from '../runWrangler.ts'

/** platform error for a name that the account has already */
const exists = '[code: 10004]'

/**
 * Creates an R2 bucket unless it exists.
 * @returns whether it was created
 * @throws WranglerError
 */
export const createBucket = async (run: RunWrangler, name: string): Promise<boolean> => {
  const made = await run(['r2', 'bucket', 'create', name])
  if (made.succeeded) return true
  if (!made.output.includes(exists)) throw new WranglerError(made.output)
  return false
}
