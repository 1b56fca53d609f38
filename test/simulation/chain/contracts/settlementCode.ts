import { type Address, encodeFunctionData, type Hex, maxUint256, parseAbi, slice, zeroAddress } from 'viem'
import { authenticatorAbi } from '#shared/chain/authenticatorAbi.ts'
import { payoutGas } from '#shared/chain/calls/createPayoutAccess.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { defineContract, emit } from '../defineContract.ts'
import { type Code, type Frame, OutOfGas, require } from '../machine.ts'
import { hashOrder, recoverEcdsa, type TypedOrder } from '../orderSignature.ts'
import { tokenAbi } from './tokenCode.ts'

/** Addresses and domain of the settlement contract. */
export type SettlementTerms = {
  authenticator: Address
  vaultRelayer: Address
  chainId: number
  domainSeparator: Hex
}

type TradeData = {
  sellTokenIndex: bigint
  buyTokenIndex: bigint
  receiver: Address
  sellAmount: bigint
  buyAmount: bigint
  validTo: number
  appData: Hex
  feeAmount: bigint
  flags: bigint
  executedAmount: bigint
  signature: Hex
}
type InteractionData = { target: Address; value: bigint; callData: Hex }
type Transfer = { account: Address; token: Address; amount: bigint; balance: string }

const signatureAbi = parseAbi(['function isValidSignature(bytes32 digest, bytes signature) view returns (bytes4)'])
const magicValue = '0x1626ba7e'
const nativeToken = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const enteredKey = 'settlement entered'

/** Keys of an order's words: the filled amount and the presignature. */
export const toFilledKey = (uid: Hex): string => `filled ${uid.toLowerCase()}`
export const toPresignedKey = (uid: Hex): string => `presigned ${uid.toLowerCase()}`

/**
 * The settlement contract and its relayer (`GPv2Settlement` of @cowprotocol/contracts), without its `swap`, other
 * storage readers and balances in the vault.
 */
export const createSettlementCode = (terms: SettlementTerms): Code => {
  const settle = (
    frame: Frame,
    tokens: readonly Address[],
    prices: readonly bigint[],
    trades: readonly TradeData[],
    interactions: readonly (readonly InteractionData[])[],
  ): void => {
    const { store, sender } = frame
    frame.charge(20_000n)
    require(store.get(enteredKey) === 0n, 'ReentrancyGuard: reentrant call')
    store.set(enteredKey, 1n)
    require(isSolver(frame, terms.authenticator, sender), 'GPv2: not a solver')
    const [before = [], between = [], after = []] = interactions
    interact(frame, before)
    const transfers = trades.map((trade) => executeTrade(frame, terms, tokens, prices, trade))
    for (const { pull } of transfers) pullTokens(frame, terms.vaultRelayer, pull)
    interact(frame, between)
    for (const { pay } of transfers) payTokens(frame, pay)
    interact(frame, after)
    emit(frame, settlementAbi, 'Settlement', { solver: sender })
    store.set(enteredKey, 0n)
  }

  const interact = (frame: Frame, list: readonly InteractionData[]): void => {
    for (const { target, value, callData } of list) {
      require(lower(target) !== terms.vaultRelayer, 'GPv2: forbidden interaction')
      frame.callOrRevert(lower(target), callData, { value })
      const selector = callData.length >= 10 ? slice(callData, 0, 4) : '0x00000000'
      emit(frame, settlementAbi, 'Interaction', { target, value, selector })
    }
  }

  return defineContract(
    settlementAbi,
    {
      settle: settle as never,
      invalidateOrder: (frame, uid: Hex) => {
        const owner = readOwner(uid)
        require(owner === frame.sender, 'GPv2: caller does not own order')
        frame.store.set(toFilledKey(uid), maxUint256)
        emit(frame, settlementAbi, 'OrderInvalidated', { owner, orderUid: uid })
      },
      setPreSignature: (frame, uid: Hex, signed: boolean) => {
        const owner = readOwner(uid)
        require(owner === frame.sender, 'GPv2: cannot presign order')
        frame.store.set(toPresignedKey(uid), signed ? 1n : 0n)
        emit(frame, settlementAbi, 'PreSignature', { owner, orderUid: uid, signed })
      },
      filledAmount: (frame, uid: Hex) => frame.store.get(toFilledKey(uid)),
      preSignature: (frame, uid: Hex) => frame.store.get(toPresignedKey(uid)),
      simulateDelegatecall: (frame, _: Address, payload: Hex) => checkStatically(frame, payload),
      domainSeparator: () => terms.domainSeparator,
      authenticator: () => terms.authenticator,
      vaultRelayer: () => terms.vaultRelayer,
    },
    () => undefined,
  )
}

/** Runs the code of `buildSignatureCheck`: every account has code in the model. */
const checkStatically = (frame: Frame, payload: Hex): Hex => {
  const target = lower(slice(payload, 12, 32))
  const { succeeded, returnData } = frame.call(target, slice(payload, 32))
  const isWord = succeeded && returnData.length >= 66
  return `0x${'1'.padStart(64, '0')}${isWord ? returnData.slice(2, 66) : ''}`
}

const isSolver = (frame: Frame, authenticator: Address, account: Address): boolean => {
  const call = { abi: authenticatorAbi, functionName: 'isSolver', args: [account] } as const
  return BigInt(frame.callOrRevert(authenticator, encodeFunctionData(call))) === 1n
}

/** @throws Revert, and OutOfGas for an index outside of its list, for which Solidity 0.7 has an invalid opcode */
const executeTrade = (
  frame: Frame,
  terms: SettlementTerms,
  tokens: readonly Address[],
  prices: readonly bigint[],
  trade: TradeData,
): { pull: Transfer; pay: Transfer } => {
  frame.charge(40_000n)
  const order = toOrder(tokens, trade)
  const { owner, uid } = recoverOwner(frame, terms, order, trade)
  const [sellPrice, buyPrice] = [prices[Number(trade.sellTokenIndex)], prices[Number(trade.buyTokenIndex)]]
  if (sellPrice === undefined || buyPrice === undefined) throw new OutOfGas('invalid opcode')
  require(order.validTo >= frame.block.timestamp, 'GPv2: order expired')
  require(multiply(order.sellAmount, sellPrice) >=
    multiply(order.buyAmount, buyPrice), 'GPv2: limit price not respected')
  const filled = frame.store.get(toFilledKey(uid))
  const isSell = order.kind === 'sell'
  const [whole, limit] = isSell ? [order.sellAmount, order.sellAmount] : [order.buyAmount, order.buyAmount]
  const exact = order.partiallyFillable ? trade.executedAmount : whole
  const fee = order.partiallyFillable ? divide(multiply(order.feeAmount, exact), whole) : order.feeAmount
  const bought = isSell ? divideUp(multiply(exact, sellPrice), buyPrice) : exact
  const sold = isSell ? exact : divide(multiply(exact, buyPrice), sellPrice)
  const now = add(filled, exact)
  require(now <= limit, 'GPv2: order filled')
  const sellAmount = add(sold, fee)
  frame.store.set(toFilledKey(uid), now)
  const { sellToken, buyToken } = order
  emit(frame, settlementAbi, 'Trade', {
    owner,
    sellToken,
    buyToken,
    sellAmount,
    buyAmount: bought,
    feeAmount: fee,
    orderUid: uid,
  })
  const receiver = order.receiver === zeroAddress ? owner : order.receiver
  return {
    pull: { account: owner, token: sellToken, amount: sellAmount, balance: order.sellTokenBalance },
    pay: { account: receiver, token: buyToken, amount: bought, balance: order.buyTokenBalance },
  }
}

const toOrder = (tokens: readonly Address[], trade: TradeData): TypedOrder => {
  const [sellToken, buyToken] = [tokens[Number(trade.sellTokenIndex)], tokens[Number(trade.buyTokenIndex)]]
  if (!sellToken || !buyToken || trade.flags >> 5n > 3n) throw new OutOfGas('invalid opcode')
  return {
    sellToken: lower(sellToken),
    buyToken: lower(buyToken),
    receiver: lower(trade.receiver),
    sellAmount: trade.sellAmount,
    buyAmount: trade.buyAmount,
    validTo: trade.validTo,
    appData: trade.appData,
    feeAmount: trade.feeAmount,
    kind: (trade.flags & 1n) === 0n ? 'sell' : 'buy',
    partiallyFillable: (trade.flags & 2n) !== 0n,
    sellTokenBalance: (trade.flags & 8n) === 0n ? 'erc20' : (trade.flags & 4n) === 0n ? 'external' : 'internal',
    buyTokenBalance: (trade.flags & 16n) === 0n ? 'erc20' : 'internal',
  }
}

const recoverOwner = (
  frame: Frame,
  terms: SettlementTerms,
  order: TypedOrder,
  { flags, signature }: TradeData,
): { owner: Address; uid: Hex } => {
  const digest = hashOrder(terms.chainId, frame.self, order)
  const pack = (owner: Address): Hex =>
    `0x${digest.slice(2)}${owner.slice(2)}${order.validTo.toString(16).padStart(8, '0')}`
  const scheme = Number(flags >> 5n)
  if (scheme <= 1) {
    require(signature.length === 132, 'GPv2: malformed ecdsa signature')
    const owner = recoverEcdsa(digest, signature, scheme === 1)
    require(owner !== undefined, 'GPv2: invalid ecdsa signature')
    return { owner, uid: pack(owner) }
  }
  if (scheme === 3) require(signature.length === 42, 'GPv2: malformed presignature')
  const owner = lower(signature.slice(0, 42) as Address)
  const uid = pack(owner)
  if (scheme === 3) {
    require(frame.store.get(toPresignedKey(uid)) === 1n, 'GPv2: order not presigned')
    return { owner, uid }
  }
  const args = [digest, `0x${signature.slice(42)}`] as const
  const call = { abi: signatureAbi, functionName: 'isValidSignature', args } as const
  const returned = frame.callOrRevert(owner, encodeFunctionData(call))
  require(returned.startsWith(magicValue), 'GPv2: invalid eip1271 signature')
  return { owner, uid }
}

/** The relayer is the caller of the token: owners approve it. */
const pullTokens = (frame: Frame, vaultRelayer: Address, { account, token, amount, balance }: Transfer): void => {
  require(token !== nativeToken, 'GPv2: cannot transfer native ETH')
  // the vault is not part of the model
  require(balance === 'erc20', 'no vault')
  const call = { abi: tokenAbi, functionName: 'transferFrom', args: [account, frame.self, amount] } as const
  const data = frame.callOrRevert(vaultRelayer, `${relayed}${token.slice(2)}${encodeFunctionData(call).slice(2)}`)
  checkTransfer(data, 'GPv2: failed transferFrom')
}

const payTokens = (frame: Frame, { account, token, amount, balance }: Transfer): void => {
  if (token === nativeToken) {
    require(balance === 'erc20', 'GPv2: unsupported internal ETH')
    frame.callOrRevert(account, '0x', { value: amount, gas: payoutGas })
    return
  }
  require(balance === 'erc20', 'no vault')
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args: [account, amount] })
  checkTransfer(frame.callOrRevert(token, data), 'GPv2: failed transfer')
}

const checkTransfer = (data: Hex, reason: string): void => {
  require(data === '0x' || data.length === 66, 'GPv2: malformed transfer result')
  require(data === '0x' || BigInt(data) !== 0n, reason)
}

const relayed = '0x72656c61'

/** The relayer passes on calls of the settlement contract, as `GPv2VaultRelayer.transferFromAccounts` does. */
export const createVaultRelayerCode =
  (settlementContract: Address): Code =>
  (frame) => {
    require(frame.sender === settlementContract, 'GPv2: not creator')
    require(frame.data.startsWith(relayed), 'unknown call')
    const token: Address = `0x${frame.data.slice(10, 50)}`
    return frame.callOrRevert(token, `0x${frame.data.slice(50)}`)
  }

/** Allows the accounts of a set to settle. */
export const createAuthenticatorCode = (solvers: ReadonlySet<Address>): Code =>
  defineContract(authenticatorAbi, {
    isSolver: (frame, account: Address) => {
      frame.charge(2_600n)
      return solvers.has(lower(account))
    },
  })

/** Owner in an order UID; empty for one of another length, which no account equals. */
const readOwner = (uid: Hex): Address => {
  require(uid.length === 2 + 2 * 56, 'GPv2: invalid uid')
  return lower(slice(uid, 32, 52))
}

const multiply = (a: bigint, b: bigint): bigint => {
  const product = a * b
  require(product <= maxUint256, 'SafeMath: mul overflow')
  return product
}

const add = (a: bigint, b: bigint): bigint => {
  require(a + b <= maxUint256, 'SafeMath: addition overflow')
  return a + b
}

const divide = (a: bigint, b: bigint): bigint => {
  require(b > 0n, 'SafeMath: division by 0')
  return a / b
}

const divideUp = (a: bigint, b: bigint): bigint => {
  require(b > 0n, 'SafeMath: ceiling division by 0')
  return (a + b - 1n) / b
}

const lower = (address: Address): Address => address.toLowerCase() as Address
