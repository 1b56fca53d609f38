import { keccak256, stringToBytes, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertAppData } from '#schema/queries/orders/appData.ts'
import { startTestDatabase } from '#test/helpers/database/testDatabase.ts'
import { resolveAppData } from './resolveAppData.ts'

const document = '{"appCode":"tést","metadata":{}}'
const hash = keccak256(stringToBytes(document))
const { database, close } = await startTestDatabase()
afterAll(close)
beforeAll(() => insertAppData(database, hash, document))
const resolve = (appData?: string, appDataHash?: `0x${string}`) =>
  resolveAppData(database, { appData, appDataHash, fullAppData: undefined })
const unknownHash = `0x${'ab'.repeat(32)}` as const
const noHooks = { hooks: { pre: [], post: [] }, hookGas: 0n, partnerFees: [] }
const error = (errorType: string) => expect.objectContaining({ errorType })

describe('resolveAppData', () => {
  test('a document has its text unchanged, and the hash of its UTF-8 bytes', async () => {
    const expected = { appData: document, appDataHash: hash, fullAppData: document, ...noHooks }
    expect(await resolve(document)).toEqual(expected)
    expect(await resolve(document, hash)).toEqual(expected)
    // published value: reference implementation of this kind of order book
    expect(await resolve('{}')).toEqual({
      appData: '{}',
      appDataHash: '0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d',
      fullAppData: '{}',
      ...noHooks,
    })
  })

  test('resolves a known hash to its document, with or without 0x and in any case', async () => {
    const expected = { appData: hash, appDataHash: hash, fullAppData: document, ...noHooks }
    expect(await resolve(hash)).toEqual(expected)
    expect(await resolve(hash.slice(2).toUpperCase())).toEqual(expected)
    expect(await resolve(hash, hash)).toEqual(expected)
  })

  test('resolves missing app data and the zero hash to the empty document', async () => {
    const expected = { appData: zeroHash, appDataHash: zeroHash, fullAppData: '{}', ...noHooks }
    expect(await resolve()).toEqual(expected)
    expect(await resolve(zeroHash)).toEqual(expected)
    expect(await resolve('{}', zeroHash)).toEqual(expected)
  })

  test('the hash of an unknown document has no hooks, and its document may stand beside it', async () => {
    expect(await resolve(unknownHash)).toEqual({
      appData: unknownHash,
      appDataHash: unknownHash,
      fullAppData: null,
      ...noHooks,
    })
    const other = '{"appCode":"beside"}'
    const appData = keccak256(stringToBytes(other))
    expect(await resolveAppData(database, { appData, appDataHash: undefined, fullAppData: other })).toMatchObject({
      appDataHash: appData,
      fullAppData: other,
    })
  })

  test('hooks reserve gas, with the document or its hash', async () => {
    const hook = { target: '0x1000000000000000000000000000000000000001', callData: '0x', gasLimit: '50000' }
    const hooked = JSON.stringify({ metadata: { hooks: { pre: [hook], post: [hook, hook] } } })
    const hookedHash = keccak256(stringToBytes(hooked))
    const parsed = { ...hook, gasLimit: 50_000n }
    const hooks = { pre: [parsed], post: [parsed, parsed] }
    expect(await resolve(hooked)).toMatchObject({ hooks, hookGas: 181_000n })
    await insertAppData(database, hookedHash, hooked)
    expect(await resolve(hookedHash)).toMatchObject({ hooks, hookGas: 181_000n })
  })

  test('a hash that differs from the document is refused', async () => {
    await expect(resolve(document, zeroHash)).rejects.toEqual(error('AppDataHashMismatch'))
    await expect(resolve(`${document} `, hash)).rejects.toEqual(error('AppDataHashMismatch'))
  })

  test.each(['not json', '', '[]', 'null', '"text"', '{"metadata":"invalid"}', `{"a":"${'é'.repeat(4_096)}"}`])(
    'refuses %.40s',
    async (appData) => {
      await expect(resolve(appData)).rejects.toEqual(error('InvalidAppData'))
    },
  )
})
