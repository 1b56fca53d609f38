import { type AccessList, type Address, type Hex, numberToHex } from 'viem'
import { encodeBalance } from '../chain/calls/balanceCalls.ts'
import { findAccessList } from '../chain/calls/findAccessList.ts'
import { readSingleWord } from '../chain/calls/readWord.ts'
import type { Simulate, StateOverrides } from '../chain/calls/simulateCalls.ts'
import type { ChainClient } from '../chain/connectChain.ts'
import { mapBounded } from '../mapBounded.ts'

/** State in which an account has an amount of a token, atoms. */
export type WriteBalance = (amount: bigint) => StateOverrides

/** a token reads its balance among a few words: its implementation, its switches, its lists */
const maxWords = 8
/** requests at once, of the six that an invocation may have */
const atOnce = 2
/** every byte differs, so that a part of it shows its place */
const probe = 0x0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20n
/** fewer bits of the probe could be read by chance */
const minBits = 64

/**
 * Finds the word in which a token stores an account's balance, for tokens of an unknown layout: of the words that
 * `balanceOf` reads (`eth_createAccessList`) the one of which the balance is a part. A token that computes balances has
 * none.
 * @returns undefined without such a word, and when the node does not offer the method
 * @throws SimulationError; viem errors when the node does not respond
 */
export const findBalanceWord = async (
  { simulate, client }: { simulate: Simulate; client: Pick<ChainClient, 'request'> },
  token: Address,
  account: Address,
  signal: AbortSignal,
): Promise<WriteBalance | undefined> => {
  const data = encodeBalance(account)
  const words = listWords(await findAccessList(client, { from: account, to: token, data }))
  const found = await mapBounded(words, atOnce, async ({ contract, slot }): Promise<WriteBalance | undefined> => {
    const write = (word: bigint) => ({ [contract]: { stateDiff: { [slot]: numberToHex(word, { size: 32 }) } } })
    const { results } = await simulate([{ to: token, data, gas: 1_000_000n }], write(probe), signal)
    const shift = findShift(results[0]?.succeeded ? readSingleWord(results[0].returnData) : undefined)
    return shift === undefined ? undefined : (amount) => write(BigInt.asUintN(256, amount << shift))
  })
  return found.find((write) => write !== undefined)
}

const listWords = (list: AccessList = []): { contract: Address; slot: Hex }[] =>
  list
    .flatMap(({ address, storageKeys }) => storageKeys.map((slot) => ({ contract: address, slot })))
    .slice(0, maxWords)

/** By how many bits the probe was shifted to read as a balance, other bits above it cut off. */
const findShift = (balance: bigint | undefined): bigint | undefined => {
  const bits = balance?.toString(2).length ?? 0
  if (balance === undefined || bits < minBits) return undefined
  for (let shift = 0n; shift < 256n - BigInt(minBits); shift += 1n) {
    if (BigInt.asUintN(bits, probe >> shift) === balance) return shift
  }
  return undefined
}
