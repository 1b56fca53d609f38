import { type AccessList, type Address, type Hex, pad, zeroAddress } from 'viem'
import type { ChainClient } from '#shared/chain/connectChain.ts'
import { nativeSentinel } from '#shared/networks.ts'
import type { AuctionOrder } from '#shared/solvers/driverApi.ts'

/** storage slots of a proxy's implementation: slot 0 for a Safe, EIP-1967 for others */
const implementationSlots: Hex[] = [pad('0x0'), '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc']
/** maximum number of receivers checked per auction */
const maxReceivers = 20

/**
 * Finds the access list entries (EIP-2930) that allow contracts to receive the native token. The settlement contract
 * sends it with 2,300 gas: a proxy such as a Safe cannot load its implementation address with that, unless slot and
 * contract are declared.
 * @returns receiver → its part of the access list; no entry for other receivers
 * @throws viem errors when the node fails
 */
export const findPayoutAccess = async (
  client: ChainClient,
  orders: readonly AuctionOrder[],
): Promise<Map<Address, AccessList>> => {
  const receivers = new Set(orders.filter(({ buyToken }) => buyToken === nativeSentinel).map(toReceiver))
  const entries = await Promise.all(
    [...receivers].slice(0, maxReceivers).map(async (receiver): Promise<[Address, AccessList]> => {
      const values = await Promise.all(
        implementationSlots.map((slot) =>
          client.request({ method: 'eth_getStorageAt', params: [receiver, slot, 'latest'] }),
        ),
      )
      return [receiver, values.flatMap((value, i) => toAccess(receiver, implementationSlots[i] ?? '0x', value))]
    }),
  )
  return new Map(entries.filter(([, access]) => access.length > 0))
}

/** Recipient of the buy tokens. */
export const toReceiver = ({ receiver, owner }: AuctionOrder): Address =>
  receiver === null || receiver === zeroAddress ? owner : receiver

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
