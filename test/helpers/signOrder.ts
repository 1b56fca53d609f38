import { type Address, type Hex, isHash, keccak256, toBytes } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'

const orderTypes = {
  Order: [
    { name: 'sellToken', type: 'address' },
    { name: 'buyToken', type: 'address' },
    { name: 'receiver', type: 'address' },
    { name: 'sellAmount', type: 'uint256' },
    { name: 'buyAmount', type: 'uint256' },
    { name: 'validTo', type: 'uint32' },
    { name: 'appData', type: 'bytes32' },
    { name: 'feeAmount', type: 'uint256' },
    { name: 'kind', type: 'string' },
    { name: 'partiallyFillable', type: 'bool' },
    { name: 'sellTokenBalance', type: 'string' },
    { name: 'buyTokenBalance', type: 'string' },
  ],
} as const

export type OrderTerms = {
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
  /** the document, or the hash of one; the signature covers its keccak-256, or the hash itself */
  appData?: string
}

/** The body of POST orders as a client without any SDK would send it: EIP-712 signed with viem. */
export const signOrder = async (stack: StackInfo, privateKey: Hex, terms: OrderTerms) => {
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
  const signature = await account.signTypedData({
    domain: {
      name: 'Gnosis Protocol',
      version: 'v2',
      chainId: stack.chainId,
      verifyingContract: stack.contracts.settlement,
    },
    types: orderTypes,
    primaryType: 'Order',
    message,
  })
  return {
    ...message,
    sellAmount: message.sellAmount.toString(),
    buyAmount: message.buyAmount.toString(),
    feeAmount: message.feeAmount.toString(),
    appData,
    from: account.address,
    signingScheme: 'eip712',
    signature,
  }
}
