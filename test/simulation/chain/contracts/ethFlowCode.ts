import { type Address, encodeFunctionData, encodePacked, type Hex, keccak256, toHex, zeroAddress } from 'viem'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { onchainOrdersAbi } from '../../../../functions/auctions/indexing/placements/onchainOrdersAbi.ts'
import { type EthFlowOrder, ethFlowAbi } from '../../../helpers/chain/ethFlow.ts'
import { defineContract, emit } from '../defineContract.ts'
import { type Code, type Frame, Revert, require, toWeiKey } from '../machine.ts'
import { hashOrder, type TypedOrder } from '../orderSignature.ts'
import { toBalanceKey, tokenAbi } from './tokenCode.ts'

/** Addresses of a contract for orders of the native token. */
export type EthFlowTerms = { settlementContract: Address; wrappedNative: Address; chainId: number }

/** Key of an order's user as a number; 0: not placed. */
const toUserKey = (digest: Hex): string => `native order user ${digest}`
/** Key of the user's last valid second. */
const toUserValidToKey = (digest: Hex): string => `native order valid to ${digest}`
/** Key of how it ended: 0 not at all, 1 by its user, 2 by a refund. */
const toEndKey = (digest: Hex): string => `native order end ${digest}`

const noEnd = 0xffffffff
const ended = { byUser: 1n, byRefund: 2n } as const
const magicValue = '0x1626ba7e'
const refused = '0xffffffff'

const digestOf = (uid: Hex): Hex => uid.slice(0, 66) as Hex

/** Whether the contract signs an order at a time: it is placed, not ended and not expired. */
export const isLiveNativeOrder = ({ store }: Pick<Frame, 'store'>, uid: Hex, timestamp: number): boolean => {
  const digest = digestOf(uid)
  return (
    store.get(toUserKey(digest)) > 0n &&
    store.get(toEndKey(digest)) === 0n &&
    store.get(toUserValidToKey(digest)) >= BigInt(timestamp)
  )
}

export const isEndedByUser = ({ store }: Pick<Frame, 'store'>, uid: Hex): boolean =>
  store.get(toEndKey(digestOf(uid))) === ended.byUser

/** The order that the contract signs. */
const toTyped = ({ wrappedNative }: EthFlowTerms, order: EthFlowOrder): TypedOrder => ({
  sellToken: wrappedNative,
  buyToken: lower(order.buyToken),
  receiver: lower(order.receiver),
  sellAmount: order.sellAmount,
  buyAmount: order.buyAmount,
  validTo: noEnd,
  appData: order.appData,
  feeAmount: order.feeAmount,
  kind: 'sell',
  partiallyFillable: order.partiallyFillable,
  sellTokenBalance: 'erc20',
  buyTokenBalance: 'erc20',
})

const toDigest = (terms: EthFlowTerms, order: EthFlowOrder): Hex =>
  hashOrder(terms.chainId, terms.settlementContract, toTyped(terms, order))

/** UID of an order of the native token that `contract` places. */
export const toNativeOrderUid = (terms: EthFlowTerms, contract: Address, order: EthFlowOrder): Hex =>
  `${toDigest(terms, order)}${contract.slice(2)}ffffffff`

/** `contracts/EthFlow.sol`, with reasons of its reverts in place of its errors. */
export const createEthFlowCode = (terms: EthFlowTerms): Code => {
  const { settlementContract, wrappedNative } = terms
  const callToken = (frame: Frame, functionName: 'deposit' | 'withdraw', amount: bigint): void => {
    const isDeposit = functionName === 'deposit'
    const data = isDeposit
      ? encodeFunctionData({ abi: tokenAbi, functionName })
      : encodeFunctionData({ abi: tokenAbi, functionName, args: [amount] })
    frame.callOrRevert(wrappedNative, data, { value: isDeposit ? amount : 0n })
  }
  const holdings = ({ store, self }: Frame): bigint => store.get(toWeiKey(self))

  const payBack = (frame: Frame, user: Address, order: EthFlowOrder, uid: Hex): void => {
    const call = encodeFunctionData({ abi: settlementAbi, functionName: 'filledAmount', args: [uid] })
    const filled = BigInt(frame.callOrRevert(settlementContract, call))
    const { sellAmount, feeAmount } = order
    const amount = sellAmount - filled + feeAmount - (feeAmount * filled) / sellAmount
    const held = holdings(frame)
    if (held < amount) callToken(frame, 'withdraw', amount - held)
    frame.callOrRevert(user, '0x', { value: amount })
  }
  /** Digest of the order that the contract signs for these terms. */
  const findDigest = (order: EthFlowOrder): Hex => {
    require(order.receiver !== zeroAddress, 'ReceiverMustBeSet')
    return toDigest(terms, order)
  }
  const invalidate = (frame: Frame, order: EthFlowOrder): boolean => {
    const { store, block, self, sender } = frame
    const digest = findDigest(order)
    const user = toAddress(store.get(toUserKey(digest)))
    const isLive = store.get(toUserValidToKey(digest)) >= BigInt(block.timestamp)
    const isOpen = user !== zeroAddress && store.get(toEndKey(digest)) === 0n
    if (!isOpen || (isLive && user !== sender)) return false
    store.set(toEndKey(digest), isLive ? ended.byUser : ended.byRefund)
    const orderUid: Hex = `${digest}${self.slice(2)}ffffffff`
    if (isLive) emit(frame, onchainOrdersAbi, 'OrderInvalidation', { orderUid })
    else emit(frame, onchainOrdersAbi, 'OrderRefund', { orderUid, refunder: sender })
    payBack(frame, user, order, orderUid)
    return true
  }

  return defineContract(
    ethFlowAbi,
    {
      createOrder: (frame, order: EthFlowOrder) => {
        const { store, block, self, sender, value } = frame
        frame.charge(60_000n)
        require(value === order.sellAmount + order.feeAmount, 'IncorrectEthAmount')
        require(order.sellAmount > 0n, 'NotAllowedZeroSellAmount')
        require(order.validTo >= block.timestamp, 'OrderIsAlreadyExpired')
        const digest = findDigest(order)
        require(store.get(toUserKey(digest)) === 0n, 'OrderIsAlreadyOwned')
        store.set(toUserKey(digest), BigInt(sender))
        store.set(toUserValidToKey(digest), BigInt(order.validTo))
        const { sellTokenBalance: _sell, buyTokenBalance: _buy, ...signed } = toTyped(terms, order)
        const erc20 = keccak256(toHex('erc20'))
        emit(frame, onchainOrdersAbi, 'OrderPlacement', {
          sender,
          order: { ...signed, kind: keccak256(toHex('sell')), sellTokenBalance: erc20, buyTokenBalance: erc20 },
          signature: { scheme: 0, data: self },
          data: encodePacked(['int64', 'uint32'], [order.quoteId, order.validTo]),
        })
        return digest
      },
      invalidateOrder: (frame, order: EthFlowOrder) => {
        frame.charge(30_000n)
        if (!invalidate(frame, order)) throw new Revert('0x', 'NotAllowedToInvalidateOrder')
      },
      invalidateOrdersIgnoringNotAllowed: (frame, orders: readonly EthFlowOrder[]) => {
        frame.charge(30_000n * BigInt(orders.length))
        for (const order of orders) invalidate(frame, order)
      },
      isValidSignature: (frame, digest: Hex) => {
        frame.charge(5_000n)
        return isLiveNativeOrder(frame, digest, frame.block.timestamp) ? magicValue : refused
      },
      wrapAll: (frame) => callToken(frame, 'deposit', holdings(frame)),
      wrap: (frame, amount: bigint) => callToken(frame, 'deposit', amount),
      unwrap: (frame, amount: bigint) => callToken(frame, 'withdraw', amount),
    },
    // unwrapping pays in here
    () => undefined,
  )
}

/** Wrapped and native tokens of the contract, which pay its orders. */
export const readNativeFunds = ({ store }: Pick<Frame, 'store'>, wrappedNative: Address, contract: Address): bigint =>
  store.get(toWeiKey(contract)) + store.get(toBalanceKey(wrappedNative, contract))

const toAddress = (word: bigint): Address => `0x${word.toString(16).padStart(40, '0')}`
const lower = (address: Address): Address => address.toLowerCase() as Address
