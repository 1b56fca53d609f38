import { type Address, encodeFunctionData, type Hex, parseAbi, zeroHash } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { networks } from '#shared/networks.ts'
import { computeOrderDigest } from '#shared/signing/computeOrderDigest.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { encodeTradeFlags } from '#shared/signing/encodeTradeFlags.ts'
import type { Order } from '#shared/signing/order.ts'
import { packOrderUid } from '#shared/signing/orderUid.ts'
import type { LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'

const { chainId, ethFlow, settlementContract, wrappedNative } = networks.sepolia
const domainSeparator = computeDomainSeparator(chainId, settlementContract)

/** The full interface, as clients use it. */
export const ethFlowAbi = parseAbi([
  'struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function createOrder(Data order) payable returns (bytes32 orderHash)',
  'function invalidateOrder(Data order)',
  'function invalidateOrdersIgnoringNotAllowed(Data[] orderArray)',
  'function isValidSignature(bytes32 orderHash, bytes signature) view returns (bytes4)',
  'function orders(bytes32 orderHash) view returns (address owner, uint32 validTo)',
  'function cowSwapSettlement() view returns (address)',
  'function wrappedNativeToken() view returns (address)',
  'function wrap(uint256 amount)',
  'function wrapAll()',
  'function unwrap(uint256 amount)',
  'error EthTransferFailed()',
  'error IncorrectEthAmount()',
  'error NotAllowedToInvalidateOrder(bytes32 orderHash)',
  'error NotAllowedZeroSellAmount()',
  'error OrderIsAlreadyExpired()',
  'error OrderIsAlreadyOwned(bytes32 orderHash)',
  'error ReceiverMustBeSet()',
])

/** Argument of `createOrder`. */
export type EthFlowOrder = {
  buyToken: Address
  receiver: Address
  sellAmount: bigint
  buyAmount: bigint
  appData: Hex
  feeAmount: bigint
  validTo: number
  partiallyFillable: boolean
  quoteId: bigint
}

/** An order for 1,000 wei; `changes` replace its terms. */
export const buildEthFlowOrder = (
  changes: Partial<EthFlowOrder> & Pick<EthFlowOrder, 'buyToken' | 'receiver'>,
): EthFlowOrder => ({
  sellAmount: 1_000n,
  buyAmount: 1n,
  appData: zeroHash,
  feeAmount: 0n,
  validTo: 4_000_000_000,
  partiallyFillable: false,
  quoteId: 0n,
  ...changes,
})

/** The order that the contract signs. */
export const toSignedOrder = (order: EthFlowOrder): Order => ({
  sellToken: wrappedNative,
  buyToken: order.buyToken,
  receiver: order.receiver,
  sellAmount: order.sellAmount,
  buyAmount: order.buyAmount,
  validTo: 0xffffffff,
  appDataHash: order.appData,
  feeAmount: order.feeAmount,
  kind: 'sell',
  partiallyFillable: order.partiallyFillable,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
})

export const digestOfEthFlow = (order: EthFlowOrder): Hex => computeOrderDigest(domainSeparator, toSignedOrder(order))
export const uidOfEthFlow = (order: EthFlowOrder): Hex => packOrderUid(digestOfEthFlow(order), ethFlow, 0xffffffff)

/** Places it from `from`; `value` defaults to the required amount. */
export const createEthFlowOrder = (
  chain: LocalChain,
  from: Address,
  order: EthFlowOrder,
  value = order.sellAmount + order.feeAmount,
): Promise<void> =>
  sendFrom(chain, from, {
    to: ethFlow,
    value,
    data: encodeFunctionData({ abi: ethFlowAbi, functionName: 'createOrder', args: [order] }),
  })

export const invalidateEthFlowOrder = (chain: LocalChain, from: Address, order: EthFlowOrder): Promise<void> =>
  sendFrom(chain, from, {
    to: ethFlow,
    data: encodeFunctionData({ abi: ethFlowAbi, functionName: 'invalidateOrder', args: [order] }),
  })

/** Calldata of a settlement of `executedSell` for `executedBuy`, paid by the settlement contract's balance. */
export const encodeEthFlowSettlement = (order: EthFlowOrder, executedSell: bigint, executedBuy: bigint): Hex => {
  const { appDataHash, ...signed } = toSignedOrder(order)
  const trade = {
    ...signed,
    sellTokenIndex: 0n,
    buyTokenIndex: 1n,
    appData: appDataHash,
    flags: encodeTradeFlags(toSignedOrder(order), 'eip1271'),
    executedAmount: executedSell,
    signature: ethFlow,
  }
  const wrapAll = encodeFunctionData({ abi: ethFlowAbi, functionName: 'wrapAll' })
  return encodeFunctionData({
    abi: settlementAbi,
    functionName: 'settle',
    args: [
      [wrappedNative, order.buyToken],
      [executedBuy, executedSell],
      [trade],
      [[{ target: ethFlow, value: 0n, callData: wrapAll }], [], []],
    ],
  })
}
