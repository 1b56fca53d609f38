import { type Address, concatHex, encodeAbiParameters, type Hex, hashTypedData, toHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { affiliatePayouts } from '#schema/tables/affiliate/affiliatePayouts.ts'
import { affiliates } from '#schema/tables/affiliate/affiliates.ts'
import { tokens } from '#schema/tables/markets/tokens.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import { networks } from '#shared/networks.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { insertEtherPrice, insertReferredTrade, newAffiliate } from '#test/helpers/database/referredTrade.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type RunningProvider, respondWith, startProvider } from '#test/helpers/http/startProvider.ts'
import { installContract } from '#tools/stack/chain/contracts/installContract.ts'
import { computeAffiliateDigest } from './computeAffiliateDigest.ts'
import affiliate from './index.ts'

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const types = {
  AffiliateCode: [
    { name: 'walletAddress', type: 'address' },
    { name: 'code', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ],
} as const

let chain: TestChain
let store: TestDatabase
let settings: Record<string, string>

beforeAll(async () => {
  ;[chain, store] = await Promise.all([startTestChain(), startTestDatabase()])
  settings = {
    DATABASE_URL: store.databaseUrl,
    MAINNET_RPC_URL: chain.rpcUrl,
    RPC_URLS: '{}',
    CMS_ENABLED: 'true',
  }
})

beforeEach(() => store.database.delete(affiliates))

afterAll(() => Promise.all([chain.stop(), store.close()]))

const newWallet = () => privateKeyToAccount(generatePrivateKey())

const toTypedData = (walletAddress: Address, code: string, serviceName = 'edgebook', chainId = 1n) =>
  ({
    domain: { name: `${serviceName} Affiliate`, version: '1' },
    types,
    primaryType: 'AffiliateCode',
    message: { walletAddress, code, chainId },
  }) as const

const sign = (wallet: PrivateKeyAccount, code: string, serviceName?: string, chainId?: bigint) =>
  wallet.signTypedData(toTypedData(wallet.address.toLowerCase() as Address, code, serviceName, chainId))

const ask = async (path: string, init?: RequestInit, env: object = settings) => {
  const response = await affiliate.fetch(new Request(`http://affiliate${path}`, init), env, context)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const post = (path: string, body: unknown, env?: object) =>
  ask(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }, env)

const register = async (wallet: PrivateKeyAccount, code: string, changes: object = {}, env?: object) =>
  post(
    `/affiliate/${wallet.address}`,
    { walletAddress: wallet.address, code, signedMessage: await sign(wallet, code), ...changes },
    env,
  )

const groupOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The signature with the higher `s` that recovers to the same signer. */
const toOtherForm = (signature: Hex): string => {
  const s = toHex(groupOrder - BigInt(`0x${signature.slice(66, 130)}`), { size: 32 })
  return signature.slice(0, 66) + s.slice(2) + (signature.endsWith('1b') ? '1c' : '1b')
}

const countRows = async () => (await store.database.select().from(affiliates)).length

test('the digest is that of the typed data', () => {
  const wallet = newWallet().address.toLowerCase() as Address
  expect(computeAffiliateDigest('edgebook', wallet, 'FRIENDS')).toBe(hashTypedData(toTypedData(wallet, 'FRIENDS')))
})

describe('a registration', () => {
  test('is signed with the served typed data', async () => {
    const named = { ...settings, AFFILIATE_SERVICE_NAME: 'Some Exchange' }
    const { status, body } = await ask('/affiliate/typed-data', undefined, named)
    expect(status).toBe(200)
    const served = body as { domain: object; types: typeof types; message: object }
    const wallet = newWallet()
    const walletAddress = wallet.address.toLowerCase() as Address
    const message = { ...served.message, walletAddress, code: 'FRIENDS' } as never
    const signedMessage = await wallet.signTypedData({ ...served, primaryType: 'AffiliateCode', message })
    expect(await register(wallet, 'FRIENDS', { signedMessage }, named)).toMatchObject({ status: 201 })
  })

  test('signed by another wallet is 401 with the recovered signer', async () => {
    const [wallet, other] = [newWallet(), newWallet()]
    const data = toTypedData(wallet.address.toLowerCase() as Address, 'FRIENDS')
    const signedMessage = await other.signTypedData(data)
    expect(await register(wallet, 'FRIENDS', { signedMessage })).toMatchObject({
      status: 401,
      body: { data: { signer: other.address.toLowerCase() } },
    })
  })

  test('binds the code to the wallet, under the current terms', async () => {
    const wallet = newWallet()
    const { status, body } = await register(wallet, 'FRIENDS')
    expect(status).toBe(201)
    expect(body).toEqual({ code: 'FRIENDS', createdAt: expect.stringMatching(/Z$/) })
    const { createdAt } = body as { createdAt: string }
    const found = await ask(`/affiliate/${wallet.address.toLowerCase()}`)
    expect(found.body).toEqual({
      code: 'FRIENDS',
      createdAt,
      rewardAmount: 20,
      triggerVolume: 250_000,
      timeCapDays: 90,
      volumeCap: 2_500_000,
      revenueSplitAffiliatePct: 50,
      revenueSplitTraderPct: 50,
      revenueSplitDaoPct: 0,
    })
    const changed = { ...settings, AFFILIATE_PROGRAM: '{"rewardAmount":99}' }
    expect((await ask(`/affiliate/${wallet.address}`, undefined, changed)).body).toMatchObject({ rewardAmount: 20 })
  })

  test('accepts a code in any case with surrounding blanks, signed as sent', async () => {
    const wallet = newWallet()
    const inCapitals = await sign(wallet, 'FRIENDS')
    expect(await register(wallet, ' friends ', { signedMessage: inCapitals })).toMatchObject({ status: 401 })
    expect(await register(wallet, ' friends ')).toMatchObject({ status: 201, body: { code: 'FRIENDS' } })
    expect(await register(newWallet(), 'Friends')).toMatchObject({
      status: 409,
      body: { message: 'Affiliate code already taken' },
    })
    expect((await ask('/ref-codes/friends')).body).toMatchObject({ code: 'FRIENDS' })
  })

  test.each<[string, (wallet: PrivateKeyAccount) => Promise<Hex | string>]>([
    ['another wallet', () => sign(newWallet(), 'FRIENDS')],
    ['another code', (wallet) => sign(wallet, 'ENEMIES')],
    ['another service', (wallet) => sign(wallet, 'FRIENDS', 'elsewhere')],
    ['the wallet for the chain of the trades', (wallet) => sign(wallet, 'FRIENDS', 'edgebook', 100n)],
    ['an invalid signature', async () => `0x${'11'.repeat(65)}`],
    ['a text', async () => 'signed'],
    ['a part of a signature', async (wallet) => (await sign(wallet, 'FRIENDS')).slice(0, 100)],
    ['half a byte', async (wallet) => `${await sign(wallet, 'FRIENDS')}0`],
    ['the second form of the signature', async (wallet) => toOtherForm(await sign(wallet, 'FRIENDS'))],
  ])('signed by %s is 401 with the expected digest', async (_, signOtherwise) => {
    const wallet = newWallet()
    const walletAddress = wallet.address.toLowerCase() as Address
    const { status, body } = await register(wallet, 'FRIENDS', { signedMessage: await signOtherwise(wallet) })
    expect({ status, body }).toMatchObject({
      status: 401,
      body: {
        message: 'Affiliate has invalid signature',
        data: { wallet: walletAddress, digest: hashTypedData(toTypedData(walletAddress, 'FRIENDS')) },
      },
    })
    expect(await countRows()).toBe(0)
  })

  test.each<[string, object, string]>([
    ['of another wallet than the path', { walletAddress: newWallet().address }, 'Affiliate wallet address mismatch'],
    ['without a code', { code: undefined }, 'code'],
    ['with a short code', { code: 'ABCD' }, 'code of 5 to 20'],
    ['with a long code', { code: 'A'.repeat(21) }, 'code of 5 to 20'],
    ['with a code of other letters', { code: 'FRÜNDE' }, 'ASCII letters'],
    ['with a letter that becomes two in capitals', { code: 'STRAßE' }, 'ASCII letters'],
    ['with a letter that becomes another one in capitals', { code: 'frıends' }, 'ASCII letters'],
    ['with letters that look like others', { code: 'FRIENDЅ' }, 'ASCII letters'],
    ['with a blank of another script', { code: '\u00a0FRIENDS' }, 'ASCII letters'],
    ['with endless blanks', { code: `FRIENDS${' '.repeat(100)}` }, 'code of 5 to 20'],
    ['with a malformed wallet', { walletAddress: '0x12' }, 'walletAddress'],
    ['without a signature', { signedMessage: '' }, 'signedMessage'],
    ['with an endless signature', { signedMessage: `0x${'11'.repeat(7_001)}` }, 'signedMessage'],
  ])('%s is 400', async (_, changes, message) => {
    const answer = await register(newWallet(), 'FRIENDS', changes)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining(message) } })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(await countRows()).toBe(0)
  })

  test('of a taken code, by a bound wallet, or repeated is 409', async () => {
    const wallet = newWallet()
    await register(wallet, 'FRIENDS')
    const bound = { status: 409, body: { message: 'Affiliate wallet address already bound to a code' } }
    expect(await register(newWallet(), 'FRIENDS')).toMatchObject({
      status: 409,
      body: { message: 'Affiliate code already taken' },
    })
    expect(await register(wallet, 'OTHERS')).toMatchObject(bound)
    expect(await register(wallet, 'FRIENDS')).toMatchObject(bound)
    expect(await countRows()).toBe(1)
  })
})

describe('concurrent registrations', () => {
  /** `LONG=1`: five hundred concurrent requests each */
  const isLong = Boolean(process.env.LONG)
  const crowd = isLong ? 500 : 30
  /** more would exceed the statement timeout of the embedded database */
  const inFlight = isLong ? crowd : 25
  const countStatuses = (answers: { status: number; body: unknown }[]) => {
    const counts = new Map<string, number>()
    for (const { status, body } of answers) {
      const key = status === 201 ? '201' : `${status} ${(body as { message: string }).message}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return Object.fromEntries(counts)
  }

  test(`give one code to one of ${crowd} wallets`, async () => {
    const answers = await mapBounded(Array.from({ length: crowd }, newWallet), inFlight, (wallet) =>
      register(wallet, 'FRIENDS'),
    )
    expect(countStatuses(answers)).toEqual({ 201: 1, '409 Affiliate code already taken': crowd - 1 })
    expect(await countRows()).toBe(1)
  }, 120_000)

  test(`give one wallet one of ${crowd} codes`, async () => {
    const wallet = newWallet()
    const codes = Array.from({ length: crowd }, (_, i) => `FRIENDS${i}`)
    const answers = await mapBounded(codes, inFlight, (code) => register(wallet, code))
    const bound = '409 Affiliate wallet address already bound to a code'
    expect(countStatuses(answers)).toEqual({ 201: 1, [bound]: crowd - 1 })
    expect(await countRows()).toBe(1)
  }, 120_000)

  test(`register one signature once out of ${crowd} times`, async () => {
    const wallet = newWallet()
    const signedMessage = await sign(wallet, 'FRIENDS')
    const body = { walletAddress: wallet.address, code: 'FRIENDS', signedMessage }
    const answers = await mapBounded(Array(crowd).fill(body), inFlight, () =>
      post(`/affiliate/${wallet.address}`, body),
    )
    const bound = '409 Affiliate wallet address already bound to a code'
    expect(countStatuses(answers)).toEqual({ 201: 1, [bound]: crowd - 1 })
    expect(await countRows()).toBe(1)
  }, 120_000)
})

describe('a signature whose row is gone from its wallet and code still cannot be used twice', () => {
  test.each<[string, (signature: Hex) => string]>([
    ['as it is', (signature) => signature],
    ['with another v', (signature) => signature.slice(0, -2) + (signature.endsWith('1b') ? '00' : '01')],
  ])('%s', async (_, rewrite) => {
    const wallet = newWallet()
    const signedMessage = await sign(wallet, 'FRIENDS')
    await register(wallet, 'FRIENDS', { signedMessage })
    await store.database.update(affiliates).set({ walletAddress: newWallet().address, code: 'MOVED' })
    expect(await register(wallet, 'FRIENDS', { signedMessage: rewrite(signedMessage) })).toMatchObject({
      status: 409,
      body: { message: 'Affiliate signature already used' },
    })
    expect(await countRows()).toBe(1)
  })
})

describe('contract wallets', () => {
  const registerContract = (wallet: Address, env?: object) =>
    post(`/affiliate/${wallet}`, { walletAddress: wallet, code: 'FRIENDS', signedMessage: '0x1234' }, env)
  /** Bytecode that returns one word from any call. */
  const answerAlways = (word: Hex): Hex => `0x7f${word.slice(2).padEnd(64, '0')}5f5260205ff3`

  test.each([
    ['that accepts the signature', answerAlways('0x1626ba7e'), 201],
    ['that rejects it', answerAlways('0xffffffff'), 401],
    ['that reverts', '0x5f5ffd', 401],
    ['that burns all gas', '0x5b5f56', 401],
    ['that does not exist', '0x', 401],
  ] as const)('%s', async (_, code, status) => {
    const wallet = newWallet().address
    await installContract(chain.chain, wallet, { code })
    expect((await registerContract(wallet)).status).toBe(status)
  })

  test('register before their deployment by a signature with the deployment data', async () => {
    const magic = '0x6492649264926492649264926492649264926492649264926492649264926492'
    const factory: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
    // the deployed contract returns the magic value of ERC-1271 from any call
    const runtime = answerAlways('0x1626ba7e')
    const size = ((runtime.length - 2) / 2).toString(16).padStart(2, '0')
    const deployment = concatHex([`0x${'01'.repeat(32)}`, `0x60${size}8060095f395ff3`, runtime])
    const deployed = (await chain.chain.call({ to: factory, data: deployment })).data as Address
    const signature = concatHex([
      encodeAbiParameters([{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }], [factory, deployment, '0x1234']),
      magic,
    ])
    const answer = await post(`/affiliate/${deployed}`, {
      walletAddress: deployed,
      code: 'FRIENDS',
      signedMessage: signature,
    })
    expect(answer).toMatchObject({ status: 201 })
  })

  test.each<[string, (provider: RunningProvider) => void]>([
    ['that is down', () => undefined],
    ['that rate-limits the service', (provider) => provider.answer(respondWith({}, 429))],
    ['that responds with garbage', (provider) => provider.answer(respondWith('<html>'))],
  ])(
    'a node %s is an outage, not a bad signature',
    async (_, prepare) => {
      const provider = await startProvider()
      prepare(provider)
      const { status, headers } = await registerContract(newWallet().address, {
        ...settings,
        MAINNET_RPC_URL: provider.url,
      })
      await provider.stop()
      expect(status).toBe(503)
      expect(headers.get('Retry-After')).toBe('1')
    },
    20_000,
  )

  test('an ECDSA signature needs no node', async () => {
    const env = { ...settings, MAINNET_RPC_URL: 'http://127.0.0.1:9' }
    expect((await register(newWallet(), 'FRIENDS', {}, env)).status).toBe(201)
    const { MAINNET_RPC_URL: _, ...without } = settings
    expect((await register(newWallet(), 'OTHERS', {}, without)).status).toBe(201)
    expect((await registerContract(newWallet().address, without)).status).toBe(503)
  })
})

describe('a code', () => {
  test('returns its terms for traders, and not its owner', async () => {
    const wallet = newWallet()
    const AFFILIATE_PROGRAM = JSON.stringify({
      rewardAmount: 2,
      triggerVolume: 10,
      timeCapDays: 1,
      volumeCap: 20,
      revenueSplitAffiliatePct: 33,
      revenueSplitTraderPct: 33,
      revenueSplitDaoPct: 34,
    })
    await register(wallet, 'FRIENDS', {}, { ...settings, AFFILIATE_PROGRAM })
    expect((await ask('/ref-codes/FRIENDS')).body).toEqual({
      code: 'FRIENDS',
      traderRewardAmount: 0.66,
      triggerVolume: 10,
      timeCapDays: 1,
      volumeCap: 20,
    })
  })

  test('that is disabled is 403, and its wallet can still read it', async () => {
    const wallet = newWallet()
    await register(wallet, 'FRIENDS')
    await store.database.update(affiliates).set({ disabledAt: new Date() })
    expect(await ask('/ref-codes/FRIENDS')).toMatchObject({ status: 403, body: { message: 'Affiliate code disabled' } })
    expect((await ask(`/affiliate/${wallet.address}`)).status).toBe(200)
  })

  test.each([
    ['/ref-codes/NOBODYS', 404, 'Affiliate code not found'],
    ['/ref-codes/a', 400, 'code'],
    [`/affiliate/0x${'00'.repeat(20)}`, 404, 'Affiliate not found'],
    ['/affiliate/0x12', 400, 'walletAddress'],
  ])('%s is %i', async (path, status, message) => {
    expect(await ask(path)).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
  })
})

test('without the program every route is 503', async () => {
  const wallet = newWallet()
  const off = { ...settings, CMS_ENABLED: 'false' }
  const answers = [
    await register(wallet, 'FRIENDS', {}, off),
    await ask(`/affiliate/${wallet.address}`, undefined, off),
    await ask('/ref-codes/FRIENDS', undefined, off),
  ]
  for (const { status, body, headers } of answers) {
    expect({ status, body }).toEqual({ status: 503, body: { message: 'the affiliate program is switched off' } })
    expect(headers.get('Cache-Control')).toBe('no-store')
  }
})

describe('statistics', () => {
  const trader: Address = `0x${'7a'.repeat(20)}`
  const paths = ['trader-stats', 'affiliate-stats', 'trader-activity'].map((name) => `/affiliate/${name}/${trader}`)
  const settledAt = new Date(Date.now() - 86_400_000)
  const cached = 'public, max-age=60, stale-while-revalidate=300'
  const isTime = expect.stringMatching(/^20.*Z$/)
  const [sepolia, mainnet] = [networks.sepolia, networks.mainnet]
  let on: Record<string, string>

  /** an address in another case than the stored one */
  const askStatistics = (name: string, of: Address = trader, env = on) =>
    ask(`/affiliate/${name}/0x${of.slice(2).toUpperCase()}`, undefined, env)
  /** Two trades of 2,000 dollars with the code, on two networks. */
  const insertTrades = async () => {
    const { database } = store
    await database.insert(affiliates).values(newAffiliate('FRIENDS', { walletAddress: trader }))
    await insertEtherPrice(database, settledAt)
    const terms = { trader, at: settledAt, code: 'FRIENDS' }
    const later = new Date(settledAt.getTime() + 1_000)
    return [
      await insertReferredTrade(database, { ...terms, seed: 1 }),
      await insertReferredTrade(database, { ...terms, seed: 2, at: later, chainId: mainnet.chainId }),
    ]
  }

  beforeEach(async () => {
    await emptyDatabase(store.database)
    on = { ...settings, STATS_API_KEY: 'on', RPC_URLS: JSON.stringify({ sepolia: chain.rpcUrl }) }
  })

  test('a trader has a volume, rewards and the end of the time cap', async () => {
    await insertTrades()
    const { status, headers, body } = await askStatistics('trader-stats')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        trader_address: trader,
        bound_referrer_code: 'FRIENDS',
        linked_since: settledAt.toISOString(),
        rewards_end: new Date(settledAt.getTime() + 90 * 86_400_000).toISOString(),
        eligible_volume: 4_000,
        left_to_next_rewards: 1_000,
        trigger_volume: 1_000,
        total_earned: 40,
        paid_out: 0,
        next_payout: 40,
        lastUpdatedAt: isTime,
      },
    })
    expect(headers.get('Cache-Control')).toBe(cached)
  })

  test("an affiliate has the volume of its traders, and its role's share of the rewards", async () => {
    await insertTrades()
    await store.database.insert(affiliatePayouts).values({
      walletAddress: trader,
      role: 'affiliate',
      chainId: 1,
      transactionHash: `0x${'01'.repeat(32)}`,
      amount: '15',
    })
    const { status, headers, body } = await askStatistics('affiliate-stats')
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        affiliate_address: trader,
        referrer_code: 'FRIENDS',
        total_volume: 4_000,
        trigger_volume: 1_000,
        total_earned: 40,
        paid_out: 15,
        next_payout: 25,
        left_to_next_reward: 1_000,
        active_traders: 1,
        total_traders: 1,
        lastUpdatedAt: isTime,
      },
    })
    expect(headers.get('Cache-Control')).toBe(cached)
  })

  test('trades have whole tokens on served networks, with one metadata read per token', async () => {
    const [first, second] = await insertTrades()
    // returns the word 6 from any call
    await installContract(chain.chain, sepolia.usdReference.address, { code: '0x60065f5260205ff3' })
    const activity = await askStatistics('trader-activity')
    const common = {
      trader_address: trader,
      usd_value: 2_000,
      eligible_volume_usd: 2_000,
      referrer_code: 'FRIENDS',
      bound_referrer_code: 'FRIENDS',
      eligibility_reason: 'eligible',
      is_bound_to_code: true,
      is_eligible: true,
    }
    expect(activity.body).toEqual({
      rows: [
        expect.objectContaining({
          ...common,
          chain_id: 1,
          order_uid: second,
          executed_sell_amount: null,
          executed_buy_amount: null,
        }),
        {
          ...common,
          chain_id: sepolia.chainId,
          creation_date: settledAt.toISOString(),
          tx_hash: toHex(1, { size: 32 }),
          order_uid: first,
          sell_token: sepolia.wrappedNative,
          buy_token: sepolia.usdReference.address,
          sell_token_symbol: 'WETH',
          buy_token_symbol: expect.any(String),
          executed_sell_amount: '1',
          executed_buy_amount: '3',
        },
      ],
      lastUpdatedAt: isTime,
    })
    expect(activity.headers.get('Cache-Control')).toBe(cached)
    const unreachable = { ...on, RPC_URLS: JSON.stringify({ sepolia: 'http://127.0.0.1:9' }) }
    expect((await askStatistics('trader-activity', trader, unreachable)).body).toMatchObject({
      rows: [{}, { executed_sell_amount: '1' }],
    })
  })

  test('a failing node is an outage, not a token without decimals', async () => {
    await insertTrades()
    const unreachable = { ...on, RPC_URLS: JSON.stringify({ sepolia: 'http://127.0.0.1:9' }) }
    const { status, headers } = await askStatistics('trader-activity', trader, unreachable)
    expect([status, headers.get('Cache-Control')]).toEqual([503, 'no-store'])
    expect(await store.database.select().from(tokens)).toEqual([])
  })

  test.each([
    ['trader-stats', 404, { message: 'Trader stats not found' }],
    ['affiliate-stats', 404, { message: 'Affiliate stats not found' }],
    ['trader-activity', 200, { rows: [], lastUpdatedAt: isTime }],
  ])('%s of an unknown address is %i', async (name, status, body) => {
    expect(await askStatistics(name)).toMatchObject({ status, body })
    expect(await ask(`/affiliate/${name}/0x12`, undefined, on)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('address') },
    })
  })

  test('are available without the program, and need no key', async () => {
    const { status } = await askStatistics('trader-activity', trader, { ...on, CMS_ENABLED: 'false' })
    expect(status).toBe(200)
  })

  test('are 503 without their setting', async () => {
    for (const path of paths) {
      for (const off of [settings, { ...on, STATS_API_KEY: '' }]) {
        const { status, headers, body } = await ask(path, undefined, off)
        expect({ status, body }).toEqual({ status: 503, body: { message: 'the statistics are switched off' } })
        expect(headers.get('Cache-Control')).toBe('no-store')
      }
    }
  })
})

test.each([
  ['splits that do not sum to 100', '{"revenueSplitDaoPct":1}'],
  ['a trigger of zero', '{"triggerVolume":0}'],
  ['a reward above the bound', '{"rewardAmount":1e300}'],
  ['days above the bound', '{"timeCapDays":99999999}'],
  ['malformed JSON', '{'],
])('%s names its setting', async (_, AFFILIATE_PROGRAM) => {
  const wrong = { ...settings, AFFILIATE_PROGRAM }
  const { status, body } = await ask('/readyz', undefined, wrong)
  expect(status).toBe(503)
  expect(JSON.stringify(body)).toContain('AFFILIATE_PROGRAM')
})
