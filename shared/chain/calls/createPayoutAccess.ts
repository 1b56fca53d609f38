import { type AccessList, type Address, type Hex, pad } from 'viem'
import { mapBounded } from '../../mapBounded.ts'
import type { ChainClient } from '../connectChain.ts'
import { findAccessList } from './findAccessList.ts'

/** Where a node without access lists is read: slot 0 for a Safe, EIP-1967 for other proxies. */
const implementationSlots: Hex[] = [pad('0x0'), '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc']
/** maximum number of receivers that one call checks */
const maxReceivers = 20
/** requests at once, of the six that an invocation may have */
const atOnce = 4
/**
 * Accounts and slots of a list. A beacon proxy needs six. Each costs up to 2,400 gas that no order pays for, and 2,300
 * gas read no more than some: a contract that reads more with more gas would have solvers pay for it.
 */
const maxEntries = 8

/** Gas that the settlement contract gives to a receiver of the native token. */
export const payoutGas = 2_300n

/** Finds parts of access lists of receivers: receiver → its part; no entry for those that need none or read too much. */
export type FindPayoutAccess = (receivers: Iterable<Address>) => Promise<Map<Address, AccessList>>

/**
 * Finds the access list entries (EIP-2930) that allow contracts to receive the native token. The settlement contract
 * sends it with 2,300 gas: a proxy such as a Safe cannot load its implementation with that, unless the slots and
 * contracts that it reads are declared.
 *
 * A call requests what no earlier call has found, at most `maxReceivers`. A caller that settles several orders
 * calls it for each settlement, so that receivers in others take no place from its own.
 * @returns a function that throws viem errors when the node does not respond, and then remembers nothing of it
 */
export const createPayoutAccess = (
  client: Pick<ChainClient, 'request'>,
  settlementContract: Address,
): FindPayoutAccess => {
  const found = new Map<Address, Promise<AccessList>>()
  const request = async (receiver: Address): Promise<AccessList> => {
    const access = await findAccessList(client, { from: settlementContract, to: receiver, data: '0x' })
    const entries = access ?? (await readImplementation(client, receiver))
    return countEntries(entries) <= maxEntries ? entries : []
  }
  const find = (receiver: Address): Promise<AccessList> => {
    const known = found.get(receiver)
    if (known) return known
    const requested = request(receiver).catch((error: unknown) => {
      found.delete(receiver)
      throw error
    })
    found.set(receiver, requested)
    return requested
  }
  return async (receivers) => {
    const distinct = [...new Set(receivers)]
    const known = distinct.filter((receiver) => found.has(receiver))
    const unknown = distinct.filter((receiver) => !found.has(receiver)).slice(0, maxReceivers)
    const entries = await mapBounded([...known, ...unknown], atOnce, async (receiver) => {
      return [receiver, await find(receiver)] as const
    })
    return new Map(entries.filter(([, access]) => access.length > 0))
  }
}

const countEntries = (access: AccessList): number =>
  access.reduce((sum, { storageKeys }) => sum + 1 + storageKeys.length, 0)

const readImplementation = async (client: Pick<ChainClient, 'request'>, receiver: Address): Promise<AccessList> => {
  const values = await Promise.all(
    implementationSlots.map((slot) =>
      client.request({ method: 'eth_getStorageAt', params: [receiver, slot, 'latest'] }),
    ),
  )
  return values.flatMap((value, i) => toAccess(receiver, implementationSlots[i] ?? '0x', value))
}

/** The slot's value, if it can be an address. */
const toAccess = (receiver: Address, slot: Hex, value: Hex | undefined): AccessList => {
  const word = value && /^0x[0-9a-f]{1,64}$/i.test(value) ? BigInt(value) : 0n
  if (word === 0n || word >> 160n > 0n) return []
  const implementation: Address = `0x${word.toString(16).padStart(40, '0')}`
  return [
    { address: receiver, storageKeys: [slot] },
    { address: implementation, storageKeys: [] },
  ]
}
