import {
  type Address,
  concatHex,
  decodeAbiParameters,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { type ConditionalParams, hashParams } from '#shared/strategies/hashParams.ts'
import { defineContract, emit } from '../../defineContract.ts'
import { type CallResult, type Code, type Frame, Revert } from '../../machine.ts'

/** An order as handlers encode it. */
export type EncodedOrder = {
  sellToken: Address
  buyToken: Address
  receiver: Address
  sellAmount: bigint
  buyAmount: bigint
  validTo: number
  appData: Hex
  feeAmount: bigint
  kind: Hex
  partiallyFillable: boolean
  sellTokenBalance: Hex
  buyTokenBalance: Hex
}

/** What the owner's signature of a part carries beside the order. */
type Payload = { proof: readonly Hex[]; params: ConditionalParams; offchainInput: Hex }

const orderStruct =
  'struct Order { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 buyAmount; uint32 validTo; bytes32 appData; uint256 feeAmount; bytes32 kind; bool partiallyFillable; bytes32 sellTokenBalance; bytes32 buyTokenBalance; }'
const paramsStruct = 'struct Params { address handler; bytes32 salt; bytes staticInput; }'
const payloadStruct = 'struct Payload { bytes32[] proof; Params params; bytes offchainInput; }'
const orderType = parseAbiParameters(['Order order', orderStruct])
const payloadType = parseAbiParameters(['Payload payload', payloadStruct, paramsStruct])
const signatureType = parseAbiParameters(['Order order, Payload payload', orderStruct, payloadStruct, paramsStruct])

export const handlerAbi = parseAbi([
  orderStruct,
  'function getTradeableOrder(address owner, address sender, bytes32 ctx, bytes staticInput, bytes offchainInput) view returns (Order order)',
  'function verify(address owner, address sender, bytes32 orderHash, bytes32 separator, bytes32 ctx, bytes staticInput, bytes offchainInput, Order order) view',
  'function supportsInterface(bytes4 id) view returns (bool)',
])
const verifierAbi = parseAbi([
  'function isValidSafeSignature(address owner, address sender, bytes32 orderHash, bytes32 separator, bytes32 typeHash, bytes encodedOrder, bytes encodedPayload) view returns (bytes4)',
  'function supportsInterface(bytes4 id) view returns (bool)',
])
const registryAbi = [...composableCowAbi, ...verifierAbi]

const generatorInterface = '0xb8296fc4'
const muxerInterface = '0x62af8dc2'
const magicValue = '0x1626ba7e'
const orderTypeHash = '0xd5a25ba2e97094ad7d83dc28a6572da797d6b3e7fc6663bd93efb789fc17e489'

/** Key of the word that says whether an owner authorised a conditional order. */
const toAuthorisedKey = (owner: Address, hash: Hex): string => `conditional order ${owner} ${hash}`
/** Key of the number of its removals. */
const toRemovalsKey = (owner: Address, hash: Hex): string => `removals ${owner} ${hash}`

type ConditionalId = { owner: Address; hash: Hex }

export const isAuthorised = ({ store }: Pick<Frame, 'store'>, { owner, hash }: ConditionalId): boolean =>
  store.get(toAuthorisedKey(owner, hash)) === 1n

export const wasRemoved = ({ store }: Pick<Frame, 'store'>, { owner, hash }: ConditionalId): boolean =>
  store.get(toRemovalsKey(owner, hash)) > 0n

/** Ends a call with an error of the registry or of a handler. */
export const fail = (errorName: 'OrderNotValid' | 'PollTryAtEpoch' | 'PollNever', args: readonly unknown[]): never => {
  throw new Revert(encodeErrorResult({ abi: composableCowAbi, errorName, args } as never), errorName)
}
const refuse = (errorName: 'SingleOrderNotAuthed' | 'ProofNotAuthed' | 'InterfaceNotSupported'): never => {
  throw new Revert(encodeErrorResult({ abi: composableCowAbi, errorName }), errorName)
}

export const hashEncoded = (order: EncodedOrder, separator: Hex): Hex =>
  keccak256(
    concatHex(['0x1901', separator, keccak256(concatHex([orderTypeHash, encodeAbiParameters(orderType, [order])]))]),
  )

export const readSignature = (signature: Hex): { order: EncodedOrder; payload: Payload } | undefined => {
  try {
    const [order, payload] = decodeAbiParameters(signatureType, signature)
    return { order, payload }
  } catch {
    return undefined
  }
}

/** `contracts/ComposableCow.sol` without trees, guards and contexts, which no owner of the model uses. */
export const createComposableCowCode = (separator: Hex): Code => {
  const authorise = (frame: Frame, owner: Address, params: ConditionalParams, proof: readonly Hex[]): Hex => {
    frame.charge(5_000n)
    if (proof.length > 0) return refuse('ProofNotAuthed')
    const hash = hashParams(params)
    return isAuthorised(frame, { owner: lower(owner), hash }) ? hash : refuse('SingleOrderNotAuthed')
  }
  const returned = ({ succeeded, returnData, reason }: CallResult): Hex => {
    if (!succeeded) throw new Revert(returnData, reason)
    return returnData
  }
  const callHandler = (frame: Frame, handler: Address, data: Hex): Hex => returned(frame.call(lower(handler), data))
  const toSafeSignature = (order: EncodedOrder, payload: Payload): Hex =>
    encodeFunctionData({
      abi: parseAbi(['function safeSignature(bytes32, bytes32, bytes, bytes)']),
      args: [
        ...([separator, orderTypeHash] as const),
        encodeAbiParameters(orderType, [order]),
        encodeAbiParameters(payloadType, [payload]),
      ],
    })

  return defineContract(registryAbi, {
    create: (frame, params: ConditionalParams, isDispatched: boolean) => {
      frame.charge(25_000n)
      frame.store.set(toAuthorisedKey(frame.sender, hashParams(params)), 1n)
      if (isDispatched) emit(frame, composableCowAbi, 'ConditionalOrderCreated', { owner: frame.sender, params })
    },
    remove: (frame, hash: Hex) => {
      frame.charge(10_000n)
      frame.store.set(toAuthorisedKey(frame.sender, hash), 0n)
      const key = toRemovalsKey(frame.sender, hash)
      frame.store.set(key, frame.store.get(key) + 1n)
    },
    singleOrders: (frame, owner: Address, hash: Hex) => isAuthorised(frame, { owner: lower(owner), hash }),
    getTradeableOrderWithSignature: (
      frame,
      owner: Address,
      params: ConditionalParams,
      offchainInput: Hex,
      proof: readonly Hex[],
    ) => {
      const context = authorise(frame, owner, params, proof)
      const { handler, staticInput } = params
      const ask = { abi: handlerAbi, functionName: 'supportsInterface', args: [generatorInterface] } as const
      const supported = frame.call(lower(handler), encodeFunctionData(ask))
      if (!supported.succeeded || BigInt(supported.returnData) !== 1n) refuse('InterfaceNotSupported')
      const args = [owner, frame.sender, context, staticInput, offchainInput] as const
      const call = { abi: handlerAbi, functionName: 'getTradeableOrder' } as const
      const data = callHandler(frame, handler, encodeFunctionData({ ...call, args }))
      const order = decodeFunctionResult({ ...call, data })
      const payload = { proof, params, offchainInput }
      const muxer = { abi: verifierAbi, functionName: 'supportsInterface', args: [muxerInterface] } as const
      const isSafe = frame.call(lower(owner), encodeFunctionData(muxer)).succeeded
      return [order, isSafe ? toSafeSignature(order, payload) : encodeAbiParameters(signatureType, [order, payload])]
    },
    isValidSafeSignature: (
      frame,
      owner: Address,
      sender: Address,
      orderHash: Hex,
      orderSeparator: Hex,
      _: Hex,
      encodedOrder: Hex,
      encodedPayload: Hex,
    ) => {
      const [{ params, proof, offchainInput }] = decodeAbiParameters(payloadType, encodedPayload)
      const context = authorise(frame, owner, params, proof)
      const [order] = decodeAbiParameters(orderType, encodedOrder)
      const { handler, staticInput } = params
      const args = [owner, sender, orderHash, orderSeparator, context, staticInput, offchainInput, order] as const
      callHandler(frame, handler, encodeFunctionData({ abi: handlerAbi, functionName: 'verify', args }))
      return magicValue
    },
  })
}

/** What the registry checks of the signature of an owner: the call of its contract. */
export const encodeVerification = (
  owner: Address,
  sender: Address,
  digest: Hex,
  separator: Hex,
  order: EncodedOrder,
  payload: Payload,
): Hex =>
  encodeFunctionData({
    abi: verifierAbi,
    functionName: 'isValidSafeSignature',
    args: [
      ...([owner, sender, digest, separator, orderTypeHash] as const),
      encodeAbiParameters(orderType, [order]),
      encodeAbiParameters(payloadType, [payload]),
    ],
  })

const lower = (address: Address): Address => address.toLowerCase() as Address
