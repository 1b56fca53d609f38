import { type Address, type Hex, hashTypedData, isHash, keccak256, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'
import { orderTypes } from './orderTypes.ts'

export type SignableOrder = {
  sellToken: Address
  buyToken: Address
  sellAmount: bigint
  buyAmount: bigint
  kind?: 'sell' | 'buy'
  validTo?: number
  feeAmount?: bigint
  partiallyFillable?: boolean
  /** default: the owner */
  receiver?: Address
  /** default: eip712 */
  signingScheme?: 'eip712' | 'ethsign'
  /** the document, or its hash; the signature covers the document's keccak-256, or the hash itself */
  appData?: string
}

/** The body of POST orders of a client without any SDK, signed with viem. */
export const signOrder = async (stack: StackInfo, privateKey: Hex, terms: SignableOrder) => {
  const account = privateKeyToAccount(privateKey)
  const appData = terms.appData ?? '{}'
  const message = {
    sellToken: terms.sellToken,
    buyToken: terms.buyToken,
    receiver: terms.receiver ?? account.address,
    sellAmount: terms.sellAmount,
    buyAmount: terms.buyAmount,
    validTo: terms.validTo ?? Math.floor(Date.now() / 1000) + 600,
    appData: isHash(appData) ? appData : keccak256(toBytes(appData)),
    feeAmount: terms.feeAmount ?? 0n,
    kind: terms.kind ?? 'sell',
    partiallyFillable: terms.partiallyFillable ?? false,
    sellTokenBalance: 'erc20',
    buyTokenBalance: 'erc20',
  }
  const typedData = {
    domain: {
      name: 'Gnosis Protocol',
      version: 'v2',
      chainId: stack.chainId,
      verifyingContract: stack.contracts.settlement,
    },
    types: orderTypes,
    primaryType: 'Order',
    message,
  } as const
  const signingScheme = terms.signingScheme ?? 'eip712'
  const signature =
    signingScheme === 'eip712'
      ? await account.signTypedData(typedData)
      : await account.signMessage({ message: { raw: hashTypedData(typedData) } })
  return {
    ...message,
    sellAmount: message.sellAmount.toString(),
    buyAmount: message.buyAmount.toString(),
    feeAmount: message.feeAmount.toString(),
    appData,
    from: account.address,
    signingScheme,
    signature,
  }
}
