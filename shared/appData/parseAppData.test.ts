import { describe, expect, test } from 'vitest'
import { parseAppData } from './parseAppData.ts'

const address = '0xAbcdefABcdef0000000000000000000000000001'
const lower = address.toLowerCase()
const uid = `0x${'ab'.repeat(56)}`
const hook = { target: address, callData: '0x12', gasLimit: '21000' }
const nothing = {
  signer: null,
  validFrom: null,
  replacedOrder: null,
  partnerFees: [],
  referrerCode: null,
  hooks: { pre: [], post: [] },
  flashloan: null,
  wrappers: [],
}
const parse = (metadata: unknown) => parseAppData(JSON.stringify({ appCode: 'x', metadata }))
const thrownBy = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return error
  }
}

test.each(['{}', '{"metadata":{}}', '{"metadata":null,"other":[1]}', '{"metadata":{"quote":{"slippageBips":"50"}}}'])(
  '%s has no field of the order book',
  (document) => {
    expect(parseAppData(document)).toEqual(nothing)
  },
)

test('reads every known key', () => {
  const parsedAppData = parse({
    signer: address,
    validFrom: 1_800_000_000,
    replacedOrder: { uid },
    hooks: { version: '0.1.0', pre: [{ ...hook, dappId: 'y' }], post: [{ ...hook, gasLimit: `${2n ** 64n - 1n}` }] },
    enableFastPath: false,
    wrappers: [{ address, data: '0x' }],
  })
  const pre = { target: lower, callData: '0x12', gasLimit: 21_000n }
  expect(parsedAppData).toEqual({
    signer: lower,
    validFrom: 1_800_000_000,
    replacedOrder: uid,
    partnerFees: [],
    referrerCode: null,
    hooks: { pre: [pre], post: [{ ...pre, gasLimit: 2n ** 64n - 1n }] },
    flashloan: null,
    wrappers: [{ address: lower, data: '0x', isOmittable: false }],
  })
})

test('reads a flash loan', () => {
  const flashloan = {
    liquidityProvider: address,
    protocolAdapter: address,
    receiver: address,
    token: address,
    amount: '1',
  }
  expect(parse({ flashloan }).flashloan).toEqual({
    liquidityProvider: lower,
    protocolAdapter: lower,
    receiver: lower,
    token: lower,
    amount: 1n,
  })
  expect(thrownBy(() => parse({ flashloan: { ...flashloan, amount: 1 } }))).toMatchObject({
    errorType: 'InvalidAppData',
    data: { field: 'metadata.flashloan.amount', got: 1 },
  })
})

test('reads hooks at their former position only without metadata', () => {
  const backend = { hooks: { pre: [hook] } }
  expect(parseAppData(JSON.stringify({ backend })).hooks.pre).toHaveLength(1)
  expect(parseAppData(JSON.stringify({ backend, metadata: {} })).hooks.pre).toEqual([])
})

describe('partner fees', () => {
  test.each([
    [{ bps: 25 }, { kind: 'volume', bps: 25, maxVolumeBps: null }],
    [{ volumeBps: 0 }, { kind: 'volume', bps: 0, maxVolumeBps: null }],
    [
      { surplusBps: 5000, maxVolumeBps: 100 },
      { kind: 'surplus', bps: 5000, maxVolumeBps: 100 },
    ],
    [
      { priceImprovementBps: 1, maxVolumeBps: 10_000 },
      { kind: 'priceImprovement', bps: 1, maxVolumeBps: 10_000 },
    ],
  ])('%j, alone and in a list', (fee, expected) => {
    const partnerFee = { recipient: address, ...fee }
    expect(parse({ partnerFee }).partnerFees).toEqual([{ recipient: lower, ...expected }])
    expect(parse({ partnerFee: [partnerFee, partnerFee] }).partnerFees).toHaveLength(2)
  })

  test.each([
    {},
    { maxVolumeBps: 1 },
    { bps: 1, volumeBps: 1 },
    { bps: 1, maxVolumeBps: 1 },
    { surplusBps: 1 },
    { surplusBps: 1, priceImprovementBps: 1, maxVolumeBps: 1 },
    { bps: 1, surplusBps: 1, maxVolumeBps: 1 },
  ])('%j is no combination', (fee) => {
    const partnerFee = [
      { recipient: address, bps: 1 },
      { recipient: address, ...fee },
    ]
    expect(thrownBy(() => parse({ partnerFee }))).toMatchObject({
      errorType: 'InvalidAppData',
      data: { field: 'metadata.partnerFee.1', expected: expect.stringContaining('volumeBps') },
    })
  })
})

describe('refuses', () => {
  const cases: [unknown, string, unknown?][] = [
    ['invalid', 'metadata', 'invalid'],
    [[], 'metadata'],
    [{ signer: '0x12' }, 'metadata.signer', '0x12'],
    [{ signer: 7 }, 'metadata.signer', 7],
    [{ validFrom: '1' }, 'metadata.validFrom', '1'],
    [{ validFrom: 2 ** 32 }, 'metadata.validFrom', 2 ** 32],
    [{ validFrom: 1.5 }, 'metadata.validFrom', 1.5],
    [{ replacedOrder: uid }, 'metadata.replacedOrder'],
    [{ replacedOrder: { uid: 'ab'.repeat(56) } }, 'metadata.replacedOrder.uid'],
    [{ replacedOrder: {} }, 'metadata.replacedOrder.uid', null],
    [{ hooks: [] }, 'metadata.hooks'],
    [{ hooks: { pre: hook } }, 'metadata.hooks.pre'],
    [{ hooks: { post: [hook, { ...hook, gasLimit: 21_000 }] } }, 'metadata.hooks.post.1.gasLimit', 21_000],
    [{ hooks: { pre: [{ ...hook, gasLimit: '0x10' }] } }, 'metadata.hooks.pre.0.gasLimit'],
    [{ hooks: { pre: [{ ...hook, gasLimit: `${2n ** 64n}` }] } }, 'metadata.hooks.pre.0.gasLimit'],
    [{ hooks: { pre: [{ ...hook, gasLimit: `${2n ** 256n}` }] } }, 'metadata.hooks.pre.0.gasLimit'],
    [{ hooks: { pre: [{ ...hook, callData: '0x1' }] } }, 'metadata.hooks.pre.0.callData', '0x1'],
    [{ hooks: { pre: [{ ...hook, target: undefined }] } }, 'metadata.hooks.pre.0.target', null],
    [{ partnerFee: { recipient: address, bps: 0.5 } }, 'metadata.partnerFee.bps', 0.5],
    [{ partnerFee: [{ bps: 1 }] }, 'metadata.partnerFee.0.recipient', null],
    [{ partnerFee: { recipient: address, bps: 10_001 } }, 'metadata.partnerFee.bps'],
    [{ partnerFee: 'x' }, 'metadata.partnerFee'],
    [{ partnerFee: Array(17).fill({ recipient: address, bps: 1 }) }, 'metadata.partnerFee'],
    [{ wrappers: [{ address }] }, 'metadata.wrappers.0.data', null],
    [{ enableFastPath: true }, 'metadata.enableFastPath', true],
    [{ enableFastPath: 'no' }, 'metadata.enableFastPath', 'no'],
  ]
  test.each(cases)('%j, naming %s', (metadata, field, got = expect.anything()) => {
    const data = { field, expected: expect.any(String), got }
    expect(thrownBy(() => parse(metadata))).toMatchObject({ errorType: 'InvalidAppData', data })
  })

  test.each(['', 'null', '7', '[]', '{', '{"a":"\ud800"}', '[['.repeat(4_000)])(
    'refuses text %# that is no JSON object',
    (document) => {
      const data = { field: 'appData', expected: 'a JSON object as text' }
      expect(thrownBy(() => parseAppData(document))).toMatchObject({ errorType: 'InvalidAppData', data })
    },
  )

  test('refuses legacy hooks with a wrong type', () => {
    expect(thrownBy(() => parseAppData('{"backend":{"hooks":{"pre":7}}}'))).toMatchObject({
      data: { field: 'backend.hooks.pre', got: 7 },
    })
  })
})

test.each<[string, unknown, string | null]>([
  ['a code', { code: 'FRIENDS' }, 'FRIENDS'],
  ['a code in any case, with blanks', { code: ' friends-1 ' }, 'FRIENDS-1'],
  ['an invalid code', { code: 'ABC' }, null],
  ['a code with a character that no database takes', { code: 'FRIENDS\0' }, null],
  ['a number', { code: 12345 }, null],
  ['the address of older documents', { address }, null],
  ['a text', 'FRIENDS', null],
  ['nothing', null, null],
])('%s as the referrer never rejects an order', (_, referrer, expected) => {
  expect(parse({ referrer }).referrerCode).toBe(expected)
})
