import { RpcRequestError } from 'viem'

/** The block that contains a transaction sent now, at the earliest: contracts may read its number and its time. */
export type NextBlock = { number: bigint; time: bigint }

/** @param timestamp of the head, Unix seconds */
export const toNextBlock = (
  { head, timestamp }: { head: number | bigint; timestamp: bigint },
  blockTimeSeconds: number,
): NextBlock => ({ number: BigInt(head) + 1n, time: timestamp + BigInt(Math.ceil(blockTimeSeconds)) })

/** Clients whose node takes no overrides of a block; a client lives as long as a request. */
const refusing = new WeakSet<object>()
/** too many parameters, or a request that the node does not know */
const refusalCodes: ReadonlySet<number> = new Set([-32_602, -32_600])
/** of nodes with another code; from its beginning, because a contract chooses what follows "execution reverted" */
const refusalText = /^(block |state )?overrides? /i

/**
 * Runs a call on the newest state with the facts of the next block. `latest` alone has those of the newest one, where a
 * contract may decide otherwise. A node that takes no overrides runs it there.
 * @param next undefined: the call names a block that has its own facts
 */
export const inNextBlock = async <T>(
  client: object,
  next: NextBlock | undefined,
  run: (next: NextBlock | undefined) => Promise<T>,
): Promise<T> => {
  if (!next || refusing.has(client)) return run(undefined)
  try {
    return await run(next)
  } catch (error) {
    if (!isRefusal(error)) throw error
    refusing.add(client)
    return run(undefined)
  }
}

const isRefusal = (error: unknown): boolean => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RpcRequestError && (refusalCodes.has(cause.code) || refusalText.test(cause.details)))
      return true
  return false
}
