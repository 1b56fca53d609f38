import { type Address, encodeEventTopics, type Hex, pad } from 'viem'
import { z } from 'zod'
import { encodeBalance, encodeNativeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { readWord } from '#shared/chain/calls/readWord.ts'
import { type Simulate, type SimulatedCall, SimulationError } from '#shared/chain/calls/simulateCalls.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { type Network, nativeSentinel } from '#shared/networks.ts'
import { addressSchema } from '#shared/validation/chainValues.ts'
import type { EngineSolution } from './engineApi.ts'

const timeoutMs = 1_500
/** gas units of one balance */
const readGas = 100_000n

/**
 * Contracts of which the settlement contract may hold tokens that the calls of a solution could take.
 * @param traded with the wrapped native token, which is unwrapped for payments
 */
export const listTouchedTokens = (
  { interactions, preInteractions, postInteractions }: EngineSolution,
  traded: readonly Address[],
): Address[] => {
  const called = [...preInteractions, ...postInteractions].map(({ target }) => target)
  const custom = interactions.flatMap((interaction) =>
    interaction.kind === 'custom' ? [interaction.target, ...interaction.allowances.map(({ token }) => token)] : [],
  )
  return [...new Set([...traded, ...custom, ...called])].filter((token) => token !== nativeSentinel)
}

const logsSchema = z.array(z.object({ address: addressSchema, topics: z.array(z.string()), data: z.string() }))
const [transferTopic] = encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer' })

/**
 * Tokens of which an account sends more than it gets by the `Transfer` events of a call. A contract that the account has
 * approved may take tokens that no call names.
 */
const findSentTokens = (logs: unknown, account: Address): Address[] => {
  const gains = new Map<Address, bigint>()
  const topic = pad(account)
  for (const { address, topics, data } of logsSchema.parse(logs ?? [])) {
    const [event, from, to] = topics
    if (event !== transferTopic || from === to || (from !== topic && to !== topic)) continue
    // ERC-721 has the id as a topic
    const amount = topics.length > 3 ? 1n : (readWord(data as Hex) ?? 0n)
    gains.set(address, (gains.get(address) ?? 0n) + (to === topic ? amount : -amount))
  }
  return [...gains].flatMap(([token, gain]) => (gain < 0n ? token : []))
}

/**
 * The tokens of which the settlement contract would hold less after a settlement: they belong to the protocol, and an engine may not
 * spend them. The native token is `nativeSentinel`. The settlement has the gas limit and the fees of its transaction, which
 * its calls can read.
 * @returns empty when the node cannot simulate
 * @throws SimulationError when it can, and did not: a solution may cause that
 */
export const findTakenTokens = async (
  simulate: Simulate,
  { settlementContract, multicall3 }: Pick<Network, 'settlementContract' | 'multicall3'>,
  settlement: SimulatedCall & { from: Address },
  tokens: readonly Address[],
): Promise<Address[]> => {
  const reads = [
    ...tokens.map((to) => ({ to, data: encodeBalance(settlementContract), gas: readGas })),
    { to: multicall3, data: encodeNativeBalance(settlementContract), gas: readGas },
  ]
  try {
    const calls = [...reads, { ...settlement, to: settlementContract }, ...reads]
    const { results } = await simulate(calls, {}, AbortSignal.timeout(timeoutMs))
    const result = results[reads.length]
    if (!result?.succeeded) throw new SimulationError('nodeUnavailable', { isResponse: true })
    const taken: Address[] = []
    /** whose balance could be read on both sides; of others the events decide */
    const known = new Set<Address>()
    for (const [i, token] of [...tokens, nativeSentinel].entries()) {
      const [before, after] = [i, reads.length + 1 + i].map((at) => readWord(results[at]?.returnData))
      if (before === undefined || after === undefined) continue
      known.add(token)
      if (after < before) taken.push(token)
    }
    return [...taken, ...findSentTokens(result.logs, settlementContract).filter((token) => !known.has(token))]
  } catch (error) {
    if (error instanceof SimulationError && error.reason === 'nodeCannotSimulate') return []
    throw error
  }
}
