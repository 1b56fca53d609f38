import { type Address, toFunctionSelector } from 'viem'
import { encodeAllowance, encodeBalance } from '#shared/chain/calls/balanceCalls.ts'
import { callTogether, toReturned } from '#shared/chain/calls/callTogether.ts'
import { readWord } from '#shared/chain/calls/readWord.ts'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { type Allowance, toAllowanceKey } from './buildInteractions.ts'

/** Maximum tokens and allowances read per auction; an engine receives others without these facts. */
const maxReads = 500
const bounds = { gasEach: 100_000n, maxRequests: 10 }
const timeoutMs = 1_000
const decimalsSelector = toFunctionSelector('decimals()')

export type TokenFacts = {
  decimals: number | null
  /** atoms that the settlement contract holds */
  balance: bigint
}

/** Decimals do not change. A hostile token's do, to no harm: only engines read them. */
const knownDecimals = new Map<Address, number>()
const maxKnown = 10_000

/** Finds facts of tokens in one or two calls; those that do not respond have none. @throws viem errors when the node fails */
export const findTokenFacts = async (
  client: ChainClient,
  holder: Address,
  tokens: readonly Address[],
): Promise<Map<Address, TokenFacts>> => {
  const wanted = tokens.slice(0, maxReads)
  const unknown = wanted.filter((token) => !knownDecimals.has(token))
  const words = await readWords(client, [
    ...wanted.map((target) => ({ target, callData: encodeBalance(holder) })),
    ...unknown.map((target) => ({ target, callData: decimalsSelector })),
  ])
  if (knownDecimals.size > maxKnown) knownDecimals.clear()
  for (const [i, token] of unknown.entries()) {
    const decimals = words[wanted.length + i]
    if (decimals !== undefined && decimals < 256n) knownDecimals.set(token, Number(decimals))
  }
  return new Map(
    wanted.map((token, i) => [token, { decimals: knownDecimals.get(token) ?? null, balance: words[i] ?? 0n }]),
  )
}

/** Finds the allowances that `holder` gives, by `toAllowanceKey`; no entry for tokens that do not respond. */
export const findAllowances = async (
  client: ChainClient,
  holder: Address,
  allowances: readonly Allowance[],
): Promise<Map<string, bigint>> => {
  const wanted = [...new Map(allowances.map((allowance) => [toAllowanceKey(allowance), allowance])).values()]
  const words = await readWords(
    client,
    wanted
      .slice(0, maxReads)
      .map(({ token, spender }) => ({ target: token, callData: encodeAllowance(holder, spender) })),
  )
  return new Map(
    wanted.flatMap((allowance, i) => {
      const allowed = words[i]
      return allowed === undefined ? [] : [[toAllowanceKey(allowance), allowed] as const]
    }),
  )
}

const readWords = async (client: ChainClient, calls: Parameters<typeof callTogether>[1]) => {
  if (calls.length === 0) return []
  const outcomes = await callTogether(client, calls, { ...bounds, signal: AbortSignal.timeout(timeoutMs) })
  return outcomes.map((outcome) => readWord(toReturned(outcome)))
}
