import { type Address, hashTypedData, keccak256, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { networks } from '#shared/networks.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { orderTypes } from './orderTypes.ts'

/** Sells half an ether of wrapped native token for a token without a contract. */
const terms = {
  sellToken: networks.sepolia.wrappedNative as string,
  buyToken: networks.sepolia.usdReference.address as string,
  receiver: devAccounts[0].address as string,
  sellAmount: '500000000000000000',
  buyAmount: '1000000000',
  validTo: 0,
  feeAmount: '0',
  kind: 'sell',
  partiallyFillable: false,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
  appData: '{}',
}

/**
 * A body of POST orders, complete and correctly signed by `devAccounts[0]` with viem.
 * @param verifyingContract the settlement contract of the signed domain
 */
export const signOrderCreation = async (
  changes: Partial<typeof terms> & { validTo: number },
  signingScheme: 'eip712' | 'ethsign' = 'eip712',
  verifyingContract: Address = networks.sepolia.settlementContract,
) => {
  const order = { ...terms, ...changes }
  const appDataHash = keccak256(toBytes(order.appData))
  const { chainId } = networks.sepolia
  const typedData = {
    domain: { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract },
    types: orderTypes,
    primaryType: 'Order' as const,
    message: {
      ...order,
      sellToken: order.sellToken as Address,
      buyToken: order.buyToken as Address,
      receiver: order.receiver as Address,
      sellAmount: BigInt(order.sellAmount),
      buyAmount: BigInt(order.buyAmount),
      feeAmount: BigInt(order.feeAmount),
      appData: appDataHash,
    },
  }
  const account = privateKeyToAccount(devAccounts[0].privateKey)
  const signature =
    signingScheme === 'eip712'
      ? await account.signTypedData(typedData)
      : await account.signMessage({ message: { raw: hashTypedData(typedData) } })
  return { ...order, appDataHash: appDataHash as string, from: account.address as string, signingScheme, signature }
}
