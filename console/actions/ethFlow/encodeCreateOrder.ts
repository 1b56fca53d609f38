import { encodeFunctionData, type Hex, parseAbi } from 'viem'

const ethFlowAbi = parseAbi([
  'struct Data { address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; bytes32 appData; uint256 feeAmount; uint32 validTo; bool partiallyFillable; int64 quoteId; }',
  'function createOrder(Data order) payable returns (bytes32 orderHash)',
  'function invalidateOrder(Data order)',
])

/** The terms of an order that sells the native token, as its contract takes them. */
export type EthFlowOrder = {
  buyToken: string
  receiver: string
  /** wei */
  sellAmount: bigint
  /** buy token atoms, the least that is received */
  buyAmount: bigint
  appData: string
  /** wei */
  feeAmount: bigint
  /** last valid second, Unix; the order that the contract signs never expires */
  validTo: number
  partiallyFillable: boolean
  /** announced, not signed; 0 without a quote */
  quoteId: bigint
}

/** Calldata that places an order; the transaction carries its sell amount. */
export const encodeCreateOrder = (order: EthFlowOrder): string => encode('createOrder', order)

/** Calldata that ends an order and returns the unsold rest to the account that placed it. */
export const encodeInvalidateOrder = (order: EthFlowOrder): string => encode('invalidateOrder', order)

const encode = (functionName: 'createOrder' | 'invalidateOrder', order: EthFlowOrder): string =>
  encodeFunctionData({
    abi: ethFlowAbi,
    functionName,
    args: [
      {
        ...order,
        buyToken: order.buyToken as Hex,
        receiver: order.receiver as Hex,
        appData: order.appData as Hex,
      },
    ],
  })
