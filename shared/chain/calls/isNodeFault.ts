/** The error of a JSON-RPC response. */
type NodeError = { code: number; message: string; data?: unknown }

/**
 * Whether only the node can have caused an error response: it lacks the block or its state, limits, or refuses. Structure
 * takes precedence over text, because a contract chooses its revert reason: revert data and revert codes belong to the
 * contract. Node texts match from their beginning, where every node writes "execution reverted" before a reason.
 */
export const isNodeFault = ({ code, message, data }: NodeError): boolean =>
  !revertCodes.has(code) &&
  !hasRevertData(data) &&
  (nodeCodes.has(code) || nodeTexts.some((text) => text.test(message)))

/** 3: geth and compatible nodes; -32015: OpenEthereum and Nethermind */
const revertCodes: ReadonlySet<number> = new Set([3, -32_015])

/** Parse error, rejected request (plans, credentials), missing method, and rate limit codes of providers. */
const nodeCodes: ReadonlySet<number> = new Set([-32_700, -32_600, -32_601, -32_004, -32_005, -32_007, -32_029, 429])

/** Nodes without the requested state, and rate limits without a specific code (`nodeErrors.ts` has examples). */
const nodeTexts = [
  /^header (for hash )?not found/i,
  /^missing trie node /i,
  /^(unknown|invalid) block/i,
  /^block not found/i,
  /^\d+ could not be found$/i,
  /^BlockOutOfRangeError/,
  /^upstream does not have the requested block/i,
  /^block .{0,80} not found$/i,
  /^(historical |required historical )?state .{0,100}(un|not )available/i,
  /^no state available for block/i,
  /^world state (un|not )available/i,
  /^(pruned (history|state) unavailable|state at block #?\d+ is pruned)/i,
  /^this request is not supported because your node is running with state pruning/i,
  /^distance to target block exceeds maximum proof window/i,
  /^(daily request count exceeded|exceeded project rate limit|project id request rate exceeded)/i,
  /^your app has exceeded its (compute units|concurrent requests|throughput)/i,
  /^monthly capacity limit exceeded/i,
  /^((over )?rate limit( exceeded)?$|request rate exceeded|(429 )?too many requests)/i,
  /^(method handler crashed|unable to complete request at this time)/i,
  /^\d+\/(second|minute|hour|day) request limit reached/i,
]

/** A string of hex, as geth returns it, after a word as Nethermind does, or inside of an object as Hardhat does. */
const hasRevertData = (data: unknown): boolean => {
  if (typeof data === 'string') return /^(reverted )?0x([0-9a-f]{2})*$/i.test(data)
  return typeof data === 'object' && data !== null && 'data' in data && hasRevertData(data.data)
}
