import { type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { networks } from '#shared/networks.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'

const { chainId, settlementContract: verifyingContract } = networks.sepolia
const domain = { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract }
const owner = privateKeyToAccount(devAccounts[0].privateKey)

const bulkTypes = { OrderCancellations: [{ name: 'orderUids', type: 'bytes[]' }] } as const
const singleTypes = { OrderCancellation: [{ name: 'orderUid', type: 'bytes' }] } as const

/** A body of DELETE orders, signed with viem, by default by `devAccounts[0]`. */
export const signCancellations = async (
  orderUids: Hex[],
  signingScheme: 'eip712' | 'ethsign' = 'eip712',
  account = owner,
  chainId: number = domain.chainId,
) => {
  const typedData = {
    domain: { ...domain, chainId },
    types: bulkTypes,
    primaryType: 'OrderCancellations',
    message: { orderUids },
  } as const
  const signature =
    signingScheme === 'eip712'
      ? await account.signTypedData(typedData)
      : await account.signMessage({ message: { raw: hashTypedData(typedData) } })
  return { orderUids, signature, signingScheme }
}

/** A body of DELETE orders/{uid}. */
export const signCancellation = async (orderUid: Hex, signingScheme: 'eip712' | 'ethsign' = 'eip712') => {
  const typedData = { domain, types: singleTypes, primaryType: 'OrderCancellation', message: { orderUid } } as const
  const signature =
    signingScheme === 'eip712'
      ? await owner.signTypedData(typedData)
      : await owner.signMessage({ message: { raw: hashTypedData(typedData) } })
  return { signature, signingScheme }
}
