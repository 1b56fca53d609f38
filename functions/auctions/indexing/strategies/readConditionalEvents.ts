import { type Address, decodeAbiParameters, type Hex, parseAbiParameters, parseEventLogs, size } from 'viem'
import type { ConditionalEvents, ConditionalOrderRow } from '#schema/queries/strategies/insertConditionalEvents.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { maxStaticInputBytes } from '#shared/strategies/conditionalOrder.ts'
import { type ConditionalParams, hashParams } from '#shared/strategies/hashParams.ts'
import type { MinedLog } from '../chain/checkLogs.ts'

/** The proofs are in the event itself. */
const emittedProofs = 1n
/** Maximum number of conditional orders of one merkle root, and of the members of one proof. */
const maxLeaves = 500
const maxProofLength = 32

const proofsType = parseAbiParameters([
  'ProofWithParams[] proofs',
  'struct Params { address handler; bytes32 salt; bytes staticInput; }',
  'struct ProofWithParams { bytes32[] proof; Params params; }',
])

/** Parses the logs of the registry of conditional orders. Malformed and too large ones are skipped. */
export const readConditionalEvents = (logs: readonly MinedLog[]): ConditionalEvents => {
  const events: ConditionalEvents = { created: [], roots: [] }
  for (const log of parseEventLogs({ abi: composableCowAbi, logs: [...logs], strict: true })) {
    const owner = log.args.owner.toLowerCase() as Address
    const place = { blockNumber: Number(log.blockNumber), logIndex: log.logIndex, transactionHash: log.transactionHash }
    if (log.eventName === 'ConditionalOrderCreated') {
      events.created.push(...toRow(owner, log.args.params, [], place))
      continue
    }
    events.roots.push({ owner, blockNumber: place.blockNumber })
    const { location, data } = log.args.proof
    if (location === emittedProofs)
      for (const { params, proof } of readProofs(data)) events.created.push(...toRow(owner, params, proof, place))
  }
  return events
}

const readProofs = (data: Hex) => {
  try {
    const [proofs] = decodeAbiParameters(proofsType, data)
    return proofs.filter(({ proof }) => proof.length > 0 && proof.length <= maxProofLength).slice(0, maxLeaves)
  } catch {
    return []
  }
}

const toRow = (
  owner: Address,
  { handler, salt, staticInput }: ConditionalParams,
  proof: readonly Hex[],
  place: Pick<ConditionalOrderRow, 'blockNumber' | 'logIndex' | 'transactionHash'>,
): ConditionalOrderRow[] => {
  if (size(staticInput) > maxStaticInputBytes) return []
  const params = { handler: handler.toLowerCase() as Address, salt, staticInput }
  return [{ owner, hash: hashParams(params), ...params, proof: [...proof], ...place }]
}
