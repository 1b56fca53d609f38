import { type Address, concatHex, encodeAbiParameters, encodeEventTopics, type Hex, numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { buildEthFlowOrder, toSignedOrder, uidOfEthFlow } from '#test/helpers/chain/ethFlow.ts'
import type { MinedLog } from '../chain/checkLogs.ts'
import { onchainOrdersAbi } from './onchainOrdersAbi.ts'
import { readOnchainEvents } from './readOnchainEvents.ts'

const { ethFlow } = networks.sepolia
const other: Address = `0x${'0c'.repeat(20)}`
const placer: Address = `0x${'0d'.repeat(20)}`
const sender: Address = `0x${'5e'.repeat(20)}`
const flowOrder = buildEthFlowOrder({ buyToken: `0x${'b1'.repeat(20)}`, receiver: sender, validTo: 2_000_000_000 })

const [placementEvent, invalidationEvent, refundEvent] = onchainOrdersAbi
const hashes = {
  sell: '0xf3b277728b3fee749481eb3e0b3b48980dbbab78658fc419025cb16eee346775',
  erc20: '0x5a28e9363bb942b639270062aa6bb295f434bcdfc42c97267bf003f272060dc9',
  external: '0xabee3b73373acd583a130924aad6dc38cfdc44ba0555ba94ce2ff63980ea0632',
} as const

const { appDataHash, ...terms } = toSignedOrder(flowOrder)
const signed = {
  ...terms,
  appData: appDataHash,
  kind: hashes.sell as Hex,
  sellTokenBalance: hashes.erc20 as Hex,
  buyTokenBalance: hashes.erc20 as Hex,
}
const extra = (quoteId: bigint, validTo: number): Hex =>
  concatHex([numberToHex(quoteId, { size: 8, signed: true }), numberToHex(validTo, { size: 4 })])

type Placed = { address?: Address; order?: Partial<typeof signed>; scheme?: number; signature?: Hex; data?: Hex }

const toLog = (address: Address, topics: Hex[], data: Hex): MinedLog =>
  ({
    address,
    topics,
    data,
    blockNumber: 7n,
    logIndex: 3,
    transactionHash: `0x${'77'.repeat(32)}`,
    removed: false,
  }) as never

const placementLog = ({ address = ethFlow, order, scheme = 0, signature = ethFlow, data }: Placed = {}): MinedLog =>
  toLog(
    address,
    encodeEventTopics({ abi: [placementEvent], args: { sender } }) as Hex[],
    encodeAbiParameters(placementEvent.inputs.slice(1), [
      { ...signed, ...order },
      { scheme, data: signature },
      data ?? extra(-1n, flowOrder.validTo),
    ] as never),
  )
const endLog = (event: typeof invalidationEvent | typeof refundEvent, orderUid: Hex): MinedLog =>
  toLog(
    ethFlow,
    encodeEventTopics({
      abi: [event],
      args: event === refundEvent ? { refunder: sender } : undefined,
    } as never) as Hex[],
    encodeAbiParameters([{ type: 'bytes' }], [orderUid]),
  )

const read = (...logs: MinedLog[]) =>
  readOnchainEvents(logs, { ...networks.sepolia, onchainOrderContracts: [ethFlow, placer] })
const readOne = (placed?: Placed) => read(placementLog(placed)).placements[0]

test('a placement of the native token is the order that the contract signs, valid as long as its user said', () => {
  expect(readOne()).toEqual({
    blockNumber: 7,
    logIndex: 3,
    contract: ethFlow,
    sender,
    uid: uidOfEthFlow(flowOrder),
    owner: ethFlow,
    order: toSignedOrder(flowOrder),
    signingScheme: 'eip1271',
    signature: '0x',
    quoteId: null,
    userValidTo: 2_000_000_000,
  })
})

test('invalidations and refunds name their order and the emitting contract', () => {
  const orderUid = uidOfEthFlow(flowOrder)
  const end = { blockNumber: 7, logIndex: 3, contract: ethFlow, orderUid, transactionHash: `0x${'77'.repeat(32)}` }
  expect(read(endLog(invalidationEvent, orderUid), endLog(refundEvent, orderUid))).toEqual({
    placements: [],
    cancellations: [end],
    refunds: [end],
  })
})

describe('what the event says', () => {
  test.each<[string, Placed, Partial<ReturnType<typeof readOne> & object>]>([
    ['the quote', { data: extra(42n, 9) }, { quoteId: 42, userValidTo: 9 }],
    ['a quote that no number holds', { data: extra(2n ** 62n, 9) }, { quoteId: null }],
    ['data of its own', { data: '0x1234' }, { quoteId: null, userValidTo: null }],
    [
      'another contract’s order, for a contract',
      { signature: other, address: placer },
      { owner: other, contract: placer, userValidTo: null },
    ],
    ['an order with its own expiry', { order: { validTo: 5 } }, { userValidTo: null }],
    ['an order of another token', { order: { sellToken: other } }, { userValidTo: null }],
    [
      'a signature behind the owner',
      { signature: concatHex([other, '0xabcd']) },
      { owner: other, signature: '0xabcd' },
    ],
    ['a pre-signature', { scheme: 1, signature: '0x' }, { owner: sender, signingScheme: 'presign', signature: '0x' }],
    ['a balance that is not traded', { order: { sellTokenBalance: hashes.external } }, {}],
  ])('%s', (_, placed, expected) => {
    expect(readOne(placed)).toMatchObject(expected)
  })
})

describe('garbage is no order', () => {
  test.each<[string, Placed]>([
    ['an unknown scheme', { scheme: 2 }],
    ['an owner cut short', { signature: '0x1234' }],
    ['a signature without end', { signature: pad('0x01', { size: 9_000 }) }],
    ['an unknown kind', { order: { kind: hashes.erc20 } }],
    ['an unknown balance', { order: { sellTokenBalance: hashes.sell } }],
    ['an order of another contract that places orders itself', { address: placer }],
    ['a balance that one cannot receive in', { order: { buyTokenBalance: hashes.external } }],
  ])('%s', (_, placed) => {
    expect(readOne(placed)).toBeUndefined()
  })

  test.each(['0x', '0x1234', `0x${'ff'.repeat(640)}`, `0x${'00'.repeat(31)}20${'ff'.repeat(64)}`] as Hex[])(
    'data %s',
    (data) => {
      const topics = (event: typeof placementEvent | typeof invalidationEvent) =>
        encodeEventTopics({ abi: [event], args: event === placementEvent ? { sender } : undefined } as never) as Hex[]
      const logs = [toLog(ethFlow, topics(placementEvent), data), toLog(ethFlow, topics(invalidationEvent), data)]
      expect(read(...logs, placementLog())).toMatchObject({ placements: [{}], cancellations: [], refunds: [] })
    },
  )

  test('a UID of another length, an unknown event', () => {
    const strange = toLog(ethFlow, [`0x${'12'.repeat(32)}`], '0x')
    expect(read(endLog(invalidationEvent, `0x${'ab'.repeat(55)}`), strange)).toMatchObject({ cancellations: [] })
  })
})
