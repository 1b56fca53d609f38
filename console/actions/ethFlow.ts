import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import type { components } from '../api/openapi.d.ts'

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

/** `validTo` of the order that the contract signs. */
export const ethFlowValidTo = 0xffffffff

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

type Placed = Pick<
  components['schemas']['Order'],
  | 'buyToken'
  | 'receiver'
  | 'sellAmount'
  | 'buyAmount'
  | 'appDataHash'
  | 'feeAmount'
  | 'partiallyFillable'
  | 'ethflowData'
  | 'onchainUser'
  | 'owner'
  | 'status'
>

/** @returns undefined for an order that does not sell the native token */
export const toEthFlowOrder = (order: Placed): EthFlowOrder | undefined =>
  order.ethflowData && order.receiver
    ? {
        buyToken: order.buyToken,
        receiver: order.receiver,
        sellAmount: BigInt(order.sellAmount),
        buyAmount: BigInt(order.buyAmount),
        appData: order.appDataHash,
        feeAmount: BigInt(order.feeAmount),
        validTo: order.ethflowData.userValidTo,
        partiallyFillable: order.partiallyFillable,
        quoteId: 0n,
      }
    : undefined

/**
 * How an account can end its order that sells the native token: by a cancellation while it is open, or by the refund of an
 * expired one.
 * @param contract the contract for such orders of the network; no transaction goes to another one
 * @param account lower case
 * @returns undefined when there is nothing to end, or not by this account
 */
export const findEthFlowEnd = (order: Placed, contract: string, account: string): 'cancel' | 'refund' | undefined => {
  const { ethflowData, onchainUser, owner, status } = order
  if (!ethflowData || owner !== contract || onchainUser !== account) return undefined
  if (status === 'open') return 'cancel'
  return status === 'expired' && !ethflowData.isRefunded ? 'refund' : undefined
}
