import { randomBytes, webcrypto } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Address, concatHex, encodeAbiParameters, type Hex, hashTypedData, toHex, zeroAddress } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteExpiredNonces } from '#schema/queries/notifications/signedNonces.ts'
import { deleteStaleSubscriptions } from '#schema/queries/notifications/subscriptions.ts'
import { signedNonces } from '#schema/tables/notifications/signedNonces.ts'
import { subscriptions } from '#schema/tables/notifications/subscriptions.ts'
import { notificationTypes } from '#shared/notifications/notificationTypes.ts'
import { planSafe } from '#test/helpers/chain/safe.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { emptyDatabase } from '#test/helpers/database/emptyDatabase.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { type BadNode, startBadNode } from '#tools/stack/chain/badNode.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { messageTypes } from '../authorization/typedData.ts'
import accounts from '../index.ts'

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const sepolia = 11_155_111
const telegramSecret = 'secret-of-the-bots-webhook'
const erc6492Mark: Hex = `0x${'6492'.repeat(16)}`

type Wallet = { address: Address; signTypedData: PrivateKeyAccount['signTypedData'] }
type Answer = { outcome: string; reason?: string }

let chain: TestChain
let store: TestDatabase
let node: BadNode
let settings: Record<string, unknown>
/** requests that the notifier received, and its response */
let asked: { path: string; subscriptionId: string }[]
let notifier: (path: string) => Answer | Response

beforeAll(async () => {
  ;[chain, store] = await Promise.all([startTestChain(), startTestDatabase()])
  node = await startBadNode(chain.rpcUrl)
  settings = {
    RPC_URLS: JSON.stringify({ sepolia: node.url, gnosis: 'http://127.0.0.1:9' }),
    WATCHES: {},
    SLOTS: {},
    CMS_ENABLED: 'true',
    CMS_API_KEY: 'on',
    DATABASE_URL: store.databaseUrl,
    EMAIL_FROM: 'orders@edgebook.example',
    TELEGRAM_BOT_NAME: 'edgebook_bot',
    TELEGRAM_WEBHOOK_SECRET: telegramSecret,
    VAPID_PUBLIC_KEY: 'BNcRd',
    NOTIFIER: {
      fetch: async (request: Request) => {
        const { subscriptionId } = (await request.json()) as { subscriptionId: string }
        const path = new URL(request.url).pathname
        asked.push({ path, subscriptionId })
        const answer = notifier(path)
        return answer instanceof Response ? answer : Response.json(answer)
      },
    },
  }
})

beforeEach(async () => {
  asked = []
  notifier = (path) => ({ outcome: path === '/test' ? 'delivered' : 'sent' })
  node.interfere()
  await emptyDatabase(store.database)
})

afterAll(async () => {
  node.close()
  await Promise.all([chain.stop(), store.close()])
})

const newWallet = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey())
const newNonce = (): Hex => toHex(randomBytes(32))
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds

const ask = async (path: string, init: RequestInit = {}, env: object = settings) => {
  const response = await accounts.fetch(new Request(`http://accounts${path}`, init), env, context)
  const text = await response.text()
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

const postJson = (path: string, body: unknown, env?: object, headers: Record<string, string> = {}) =>
  ask(
    path,
    { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) },
    env,
  )

const toDomain = (chainId = sepolia, name = 'edgebook notifications') => ({ name, version: '1', chainId })

type Subscribe = {
  channel: string
  target: unknown
  types: string[]
  networks: number[]
  chainId: number
  nonce: Hex
  deadline: number
}

const webhook = (changes: Partial<Subscribe> = {}): Subscribe => ({
  channel: 'webhook',
  target: 'https://hooks.example.com/orders',
  types: [],
  networks: [],
  chainId: sepolia,
  nonce: newNonce(),
  deadline: inSeconds(600),
  ...changes,
})
const email = (target = 'trader@example.com') => webhook({ channel: 'email', target })
const telegram = (changes: Partial<Subscribe> = {}) => webhook({ channel: 'telegram', target: '', ...changes })

const toMessage = (account: Address, { chainId, target, networks, deadline, ...rest }: Subscribe) =>
  ({
    domain: toDomain(chainId),
    types: messageTypes,
    primaryType: 'Subscribe',
    message: {
      ...rest,
      account,
      target: typeof target === 'string' ? target : (target as { endpoint: string }).endpoint,
      networks: networks.map(BigInt),
      deadline: BigInt(deadline),
    },
  }) as const

/** @param sent fields that differ from the signed ones */
const subscribe = async (wallet: Wallet, terms: Subscribe, sent: object = {}, env?: object) => {
  const signature = await wallet.signTypedData(toMessage(wallet.address, terms))
  return postJson(`/accounts/${wallet.address}/subscriptions`, { ...terms, signature, ...sent }, env)
}

type Manage = { action: string; subscription: string; chainId: number; nonce: Hex; deadline: number }

const manage = (action: string, subscription = '', changes: Partial<Manage> = {}): Manage => ({
  action,
  subscription,
  chainId: sepolia,
  nonce: newNonce(),
  deadline: inSeconds(600),
  ...changes,
})

const authorize = async (wallet: Wallet, { chainId, deadline, ...rest }: Manage, account = wallet.address) => {
  const message = { account, ...rest, deadline: BigInt(deadline) }
  const signature = await wallet.signTypedData({
    domain: toDomain(chainId),
    types: messageTypes,
    primaryType: 'ManageSubscriptions',
    message,
  })
  return `EIP712 chainId=${chainId}, nonce=${rest.nonce}, deadline=${deadline}, signature=${signature}`
}

const requests: Record<string, (account: Address, id: string) => [string, string]> = {
  list: (account) => ['GET', `/accounts/${account}/subscriptions`],
  delete: (account, id) => ['DELETE', `/accounts/${account}/subscriptions/${id}`],
  test: (account, id) => ['POST', `/accounts/${account}/subscriptions/${id}/test`],
  replay: (account, id) => ['POST', `/accounts/${account}/subscriptions/${id}/replay`],
}

const send = (action: string, account: Address, id: string, Authorization?: string, env?: object) => {
  const [method, path] = requests[action]?.(account, id) ?? ['', '']
  return ask(path, { method, headers: Authorization ? { Authorization } : {} }, env)
}

const run = async (wallet: Wallet, action: string, id = '') =>
  send(action, wallet.address, id, await authorize(wallet, manage(action, id)))

const list = async (wallet: Wallet) => (await run(wallet, 'list')).body as { id: string; target: string | null }[]
const selectRows = () => store.database.select().from(subscriptions)
const isTime = expect.stringMatching(/^20.*Z$/)
const isId = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('a webhook', () => {
  test('is confirmed by the challenge; its secret is returned once, and never listed', async () => {
    notifier = () => ({ outcome: 'confirmed' })
    const wallet = newWallet()
    const { status, body, headers } = await subscribe(wallet, webhook())
    const expected = {
      id: isId,
      channel: 'webhook',
      target: 'https://hooks.example.com/orders',
      types: expect.arrayContaining(['order_filled', 'price_improvement']),
      networks: [100, sepolia],
      createdAt: isTime,
      confirmed: true,
      health: { failures: 0, failingSince: null, lastDeliveredAt: null, pausedAt: null, pauseReason: null },
    }
    expect({ status, body }).toEqual({
      status: 201,
      body: { ...expected, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) },
    })
    expect(body.types).toEqual(notificationTypes)
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(asked).toEqual([{ path: '/challenge', subscriptionId: body.id }])
    await store.database.update(subscriptions).set({ confirmedAt: new Date(), confirmToken: null })
    expect(await run(wallet, 'list')).toMatchObject({ status: 200, body: [expected] })
    expect((await run(wallet, 'list')).body).toEqual([expected])
    expect(JSON.stringify((await subscribe(wallet, webhook())).body)).not.toContain('whsec')
  })

  test('posted again updates its types, retains its secret, and ends a pause', async () => {
    const wallet = newWallet()
    const { body: created } = await subscribe(wallet, webhook())
    const paused = { pausedAt: new Date(), pauseReason: 'gone', failures: 9, failingSince: new Date() }
    await store.database.update(subscriptions).set({ ...paused, confirmedAt: new Date(), confirmToken: null })
    asked = []
    const changes = { types: ['order_filled', 'order_filled'], networks: [sepolia] }
    const target = 'https://HOOKS.example.com:443/orders'
    expect(await subscribe(wallet, webhook({ ...changes, target }))).toMatchObject({
      status: 200,
      body: { id: created.id, types: ['order_filled'], networks: [sepolia], health: { failures: 0, pausedAt: null } },
    })
    expect(asked).toEqual([])
    expect(await selectRows()).toMatchObject([{ secret: created.secret, confirmedAt: expect.any(Date) }])
  })

  test.each<[string, () => Answer | Response, string]>([
    ['rejects the challenge', () => ({ outcome: 'failed', reason: 'it answered 404' }), 'it answered 404; post again'],
    ['cannot be challenged', () => new Response('broken', { status: 500 }), 'could not be sent'],
    ['gets no valid response of the notifier', () => ({ outcome: 'whatever' }), 'could not be sent'],
  ])('that %s stays unconfirmed until it is posted again', async (_, answer, reason) => {
    notifier = answer
    const wallet = newWallet()
    const created = await subscribe(wallet, webhook())
    expect(created).toMatchObject({ status: 201, body: { confirmed: false, reason: expect.stringContaining(reason) } })
    notifier = () => ({ outcome: 'confirmed' })
    const again = await subscribe(wallet, webhook())
    expect(again).toMatchObject({ status: 200, body: { id: created.body.id, confirmed: true } })
    expect(asked).toHaveLength(2)
  })

  test('accepts network names instead of chain ids', async () => {
    const terms = webhook({ networks: [100, sepolia] })
    expect(await subscribe(newWallet(), terms, { networks: ['xdai', 'sepolia'] })).toMatchObject({
      status: 201,
      body: { networks: [100, sepolia] },
    })
  })
})

describe('a message', () => {
  const signed = async (wallet: Wallet, terms: Subscribe, changes: object) => {
    const data = toMessage(wallet.address, terms)
    return wallet.signTypedData({ ...data, ...changes } as typeof data)
  }

  test.each<[string, (wallet: PrivateKeyAccount, terms: Subscribe) => Promise<object>]>([
    ['of another account', async (_, terms) => ({ signature: await signed(newWallet(), terms, {}) })],
    [
      'of another account for this one',
      async ({ address }, terms) => ({ signature: await newWallet().signTypedData(toMessage(address, terms)) }),
    ],
    ['for another target', async () => ({ target: 'https://evil.example.com/orders' })],
    ['for another channel', async () => ({ channel: 'email', target: 'evil@example.com' })],
    ['for other types', async () => ({ types: ['order_filled'] })],
    ['for other networks', async () => ({ networks: [100] })],
    ['with another nonce', async () => ({ nonce: newNonce() })],
    ['with another deadline', async () => ({ deadline: inSeconds(900) })],
    ['for another chain', async () => ({ chainId: 100 })],
    ['without a domain name', async (w, t) => ({ signature: await signed(w, t, { domain: toDomain(sepolia, '') }) })],
    ['with an invalid signature', async () => ({ signature: `0x${'11'.repeat(65)}` })],
    ['without a signature', async () => ({ signature: '0x' })],
  ])('%s is 401 and changes nothing', async (_, tamper) => {
    // the contract signature would be verified on the other chain's node
    const env = { ...settings, RPC_URLS: JSON.stringify({ sepolia: chain.rpcUrl, gnosis: chain.rpcUrl }) }
    const [wallet, terms] = [newWallet(), webhook()]
    const { status, body, headers } = await subscribe(wallet, terms, await tamper(wallet, terms), env)
    expect({ status, message: body.message }).toEqual({ status: 401, message: 'the account did not sign this message' })
    expect(body.data.account).toBe(wallet.address.toLowerCase())
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(await selectRows()).toEqual([])
    expect(await store.database.select().from(signedNonces)).toEqual([])
  })

  test.each<[string, Partial<Subscribe>, string]>([
    ['has expired', { deadline: inSeconds(-1) }, 'expired'],
    ['has a deadline too far ahead', { deadline: inSeconds(3_700) }, 'more than 3600 seconds'],
    ['is for an unknown chain', { chainId: 31_337 }, 'not served'],
    ['is for a chain that is not served', { chainId: 1 }, 'not served'],
  ])('that %s is 401', async (_, changes, message) => {
    expect(await subscribe(newWallet(), webhook(changes))).toMatchObject({
      status: 401,
      body: { message: expect.stringContaining(message) },
    })
    expect(await selectRows()).toEqual([])
  })

  test('works once: replays have no effect, also when sent concurrently', async () => {
    const wallet = newWallet()
    const terms = webhook()
    const answers = await Promise.all(Array.from({ length: 8 }, () => subscribe(wallet, terms)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(401)])
    expect(answers.find(({ status }) => status === 401)?.body.message).toContain('already used')
    expect(await selectRows()).toHaveLength(1)
    const [row] = await list(wallet)
    await run(wallet, 'delete', row?.id)
    expect((await subscribe(wallet, terms)).status).toBe(401)
    expect(await selectRows()).toEqual([])
  })

  test('of one account does not consume the nonce of another', async () => {
    const nonce = newNonce()
    for (const wallet of [newWallet(), newWallet()]) {
      expect((await subscribe(wallet, webhook({ nonce }))).status).toBe(201)
    }
  })

  test('is removed some time after it has expired', async () => {
    await subscribe(newWallet(), webhook())
    await store.database.update(signedNonces).set({ expiresAt: new Date(Date.now() - 60_000) })
    await deleteExpiredNonces(store.database)
    expect(await store.database.select().from(signedNonces)).toHaveLength(1)
    await store.database.update(signedNonces).set({ expiresAt: new Date(Date.now() - 600_000) })
    await subscribe(newWallet(), webhook())
    expect(await store.database.select().from(signedNonces)).toHaveLength(1)
  })

  test.each<[string, object, string]>([
    ['no channel', { channel: 'pigeon' }, 'channel'],
    ['an unknown type', { types: ['order_lost'] }, 'types.0'],
    ['more types than there are', { types: Array(33).fill('order_filled') }, 'types'],
    ['an unknown network', { networks: ['atlantis'] }, 'networks.0'],
    ['a network that is not served', { networks: [sepolia, 1] }, 'networks.1'],
    ['a short nonce', { nonce: '0x12' }, 'nonce'],
    ['a deadline in words', { deadline: 'tomorrow' }, 'deadline'],
    ['half a byte of a signature', { signature: '0x1' }, 'signature'],
    ['an endless signature', { signature: `0x${'11'.repeat(7_001)}` }, 'signature'],
    ['no target', { target: undefined }, 'target'],
    ['an endless target', { target: `https://example.com/${'a'.repeat(2_048)}` }, 'target'],
    ['a target that is no text', { target: { endpoint: 'https://example.com' } }, 'target'],
    ['plain http', { target: 'http://hooks.example.com' }, 'target'],
    ['a target on this machine', { target: 'https://127.0.0.1:8443/' }, 'target'],
    ['a private target in disguise', { target: 'https://[::ffff:a00:1]/' }, 'target'],
    ['a malformed chat id', { channel: 'telegram', target: '@someone' }, 'target'],
  ])('with %s is 400 and names the field', async (_, changes, field) => {
    const { status, body } = await subscribe(newWallet(), webhook(), changes)
    expect({ status, field: body.data.field }).toEqual({ status: 400, field })
    expect(body.message).not.toContain(`${field}: ${field}`)
    expect(await selectRows()).toEqual([])
  })

  test('above the size limit is 413', async () => {
    const answer = await subscribe(newWallet(), webhook(), { padding: 'a'.repeat(70_000) })
    expect(answer.status).toBe(413)
  })

  test('may have a local target on a local stack', async () => {
    const env = { ...settings, ALLOW_PRIVATE_TARGETS: 'true' }
    const terms = webhook({ target: 'http://127.0.0.1:8790/webhook' })
    expect((await subscribe(newWallet(), terms, {}, env)).status).toBe(201)
  })
})

describe('a list', () => {
  test('can be read with one message until it expires', async () => {
    const wallet = newWallet()
    const authorization = await authorize(wallet, manage('list', '', { deadline: inSeconds(86_000) }))
    for (const length of [0, 0, 1]) {
      if (length > 0) await subscribe(wallet, webhook())
      const { status, body } = await send('list', wallet.address, '', authorization)
      expect({ status, length: body.length }).toEqual({ status: 200, length })
    }
  })

  test.each<[string, (wallet: PrivateKeyAccount) => Promise<string | undefined>, number, string]>([
    ['without authorisation', async () => undefined, 401, 'Authorization'],
    ['by a bearer token', async () => 'Bearer 12', 401, 'Authorization'],
    ['signed by another', (w) => authorize(newWallet(), manage('list'), w.address), 401, 'did not sign'],
    ['signed for another', async () => authorize(newWallet(), manage('list')), 401, 'did not sign'],
    ['signed to delete', (w) => authorize(w, manage('delete')), 401, 'did not sign'],
    ['after it expired', (w) => authorize(w, manage('list', '', { deadline: inSeconds(-1) })), 401, 'expired'],
    ['two days ahead', (w) => authorize(w, manage('list', '', { deadline: inSeconds(172_800) })), 401, '86400'],
    ['without a nonce', async (w) => (await authorize(w, manage('list'))).replace(/nonce=\w+, /, ''), 400, 'nonce'],
    ['in another format', async () => 'EIP712 please', 400, 'chainId'],
  ])('%s is rejected', async (_, toAuthorization, status, message) => {
    const wallet = newWallet()
    await subscribe(wallet, webhook())
    const answer = await send('list', wallet.address, '', await toAuthorization(wallet))
    expect(answer).toMatchObject({ status, body: { message: expect.stringContaining(message) } })
    expect(answer.headers.get('WWW-Authenticate')).toBe(status === 401 ? 'EIP712' : null)
    expect(JSON.stringify(answer.body)).not.toContain('hooks.example.com')
  })

  test('accepts the parameters in any order, and quoted', async () => {
    const wallet = newWallet()
    const parameters = (await authorize(wallet, manage('list'))).slice('EIP712 '.length).split(', ')
    const quoted = parameters.reverse().map((part) => part.replace(/=(.*)/, '="$1"'))
    expect((await send('list', wallet.address, '', `eip712 ${quoted.join(',')}`)).status).toBe(200)
  })
})

describe.each([
  ['delete', (id: string) => ({ id })],
  ['test', () => ({ outcome: 'delivered' })],
  ['replay', () => ({ replayed: 0 })],
])('to %s', (action, toBody) => {
  const create = async (wallet: Wallet): Promise<string> => (await subscribe(wallet, webhook())).body.id

  test('works once', async () => {
    const wallet = newWallet()
    const id = await create(wallet)
    const authorization = await authorize(wallet, manage(action, id))
    const answers = await Promise.all(Array.from({ length: 4 }, () => send(action, wallet.address, id, authorization)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    expect(answers.find(({ status }) => status === 200)?.body).toEqual(toBody(id))
    expect(asked.filter(({ path }) => path === '/test')).toHaveLength(action === 'test' ? 1 : 0)
  })

  test("another account's or a missing subscription is the same 404", async () => {
    const [owner, stranger] = [newWallet(), newWallet()]
    const id = await create(owner)
    const foreign = await run(stranger, action, id)
    const unknown = await run(stranger, action, crypto.randomUUID())
    expect(foreign).toMatchObject({ status: 404, body: { message: 'no such subscription' } })
    expect(unknown.body).toEqual(foreign.body)
    expect(await list(owner)).toHaveLength(1)
    expect(asked.filter(({ path }) => path === '/test')).toEqual([])
  })

  test('signed by another account, for another account, or for another action is 401', async () => {
    const [owner, stranger] = [newWallet(), newWallet()]
    const [id, other] = [await create(owner), crypto.randomUUID()]
    const refused = await Promise.all([
      send(action, owner.address, id, await authorize(stranger, manage(action, id), owner.address)),
      send(action, owner.address, id, await authorize(stranger, manage(action, id))),
      send(action, owner.address, id, await authorize(owner, manage(action, other))),
      send(action, owner.address, id, await authorize(owner, manage('list', id))),
      send(action, owner.address, id, await authorize(owner, manage(action, id, { deadline: inSeconds(3_700) }))),
      send(action, owner.address, id),
    ])
    expect(refused.map(({ status }) => status)).toEqual(Array(6).fill(401))
    expect(await list(owner)).toHaveLength(1)
  })

  test('a malformed id is 400', async () => {
    const wallet = newWallet()
    expect(await run(wallet, action, '12')).toMatchObject({ status: 400, body: { data: { field: 'id' } } })
  })
})

test('a failed test returns its reason; a broken notifier is an outage', async () => {
  const wallet = newWallet()
  const { body } = await subscribe(wallet, webhook())
  notifier = () => ({ outcome: 'failed', reason: 'it answered 500' })
  const failed = { status: 200, body: { outcome: 'failed', reason: 'it answered 500' } }
  expect(await run(wallet, 'test', body.id)).toMatchObject(failed)
  notifier = () => new Response('', { status: 500 })
  const outage = { status: 503, body: { data: { dependency: 'notifier', retryable: true } } }
  expect(await run(wallet, 'test', body.id)).toMatchObject(outage)
})

test('the example of the documentation works', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/notifications.md'), 'utf8')
  const example = /```ts\n([\s\S]*?signTypedData[\s\S]*?)```/.exec(text)?.[1] ?? ''
  const statuses: number[] = []
  const fetch = async (url: string, init?: RequestInit) => {
    const { status, body } = await ask(url.replace('http://localhost:8787', ''), init)
    statuses.push(status)
    return Response.json(body, { status })
  }
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  const code = example.replace(/^import .*$/gm, '').replace('0x…', generatePrivateKey())
  await new AsyncFunction('fetch', 'privateKeyToAccount', code)(fetch, privateKeyToAccount)
  expect(statuses).toEqual([200, 201, 200])
})

test('a replay ends the pause', async () => {
  const wallet = newWallet()
  const { body } = await subscribe(wallet, webhook())
  const paused = { pausedAt: new Date(), pauseReason: 'gone', failures: 9, failingSince: new Date() }
  await store.database.update(subscriptions).set({ ...paused, confirmedAt: new Date() })
  expect(await list(wallet)).toMatchObject([{ health: { failures: 9, pausedAt: isTime, pauseReason: 'gone' } }])
  expect(await run(wallet, 'replay', body.id)).toMatchObject({ status: 200, body: { replayed: 0 } })
  expect(await list(wallet)).toMatchObject([{ health: { failures: 0, failingSince: null, pausedAt: null } }])
})

test('an account has at most twenty subscriptions, also under concurrent requests', async () => {
  const wallet = newWallet()
  const terms = Array.from({ length: 25 }, (_, i) => webhook({ target: `https://hooks.example.com/${i}` }))
  const answers = await Promise.all(terms.map((each) => subscribe(wallet, each)))
  const refused = answers.filter(({ status }) => status === 409)
  expect(refused).toHaveLength(5)
  expect(refused[0]?.body).toMatchObject({ message: expect.stringContaining('20'), data: { max: 20 } })
  expect(await list(wallet)).toHaveLength(20)
  expect((await subscribe(newWallet(), webhook())).status).toBe(201)
  const [first] = await list(wallet)
  expect((await subscribe(wallet, webhook({ target: first?.target }))).status).toBe(200)
})

describe('a contract', () => {
  const owner = devAccounts[3]

  test('signs by ERC-1271, before its deployment by ERC-6492, and no other account signs for it', async () => {
    const safe = await planSafe(chain.chain, owner)
    const signTypedData = async (data: unknown) => safe.signDigest(hashTypedData(data as never))
    const wallet = { address: safe.address, signTypedData } as Wallet
    const { to, data } = safe.deployment
    const signAhead = async (typed: unknown) =>
      concatHex([
        encodeAbiParameters(
          [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
          [to, data, await signTypedData(typed)],
        ),
        erc6492Mark,
      ])
    expect((await subscribe(wallet, webhook())).status).toBe(401)
    expect((await subscribe({ ...wallet, signTypedData: signAhead } as Wallet, webhook())).status).toBe(201)
    await sendFrom(chain.chain, owner.address, safe.deployment)
    expect((await subscribe(wallet, webhook())).status).toBe(200)
    expect(await list(wallet)).toHaveLength(1)
    // as if the contract at its address on another chain, which may belong to another owner, had signed
    await store.database.update(subscriptions).set({ signerChainId: 100 })
    expect(await list(wallet)).toEqual([])
    expect((await subscribe(wallet, webhook())).status).toBe(201)
    expect(await list(wallet)).toHaveLength(1)
    const { signTypedData: sign } = privateKeyToAccount(owner.privateKey)
    expect((await subscribe({ ...wallet, signTypedData: sign }, webhook())).status).toBe(401)
    const stranger = { ...wallet, signTypedData: newWallet().signTypedData }
    expect((await subscribe(stranger, webhook())).status).toBe(401)
  })

  // a failed recovery returns the zero address
  test('cannot be the zero address, which has no signer', async () => {
    const unrecoverable: Hex = `0x${'00'.repeat(64)}1b`
    const ahead = concatHex([
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
        [`0x${'04'.padStart(40, '0')}`, '0x', unrecoverable],
      ),
      erc6492Mark,
    ])
    for (const signature of [unrecoverable, ahead]) {
      const wallet = { address: zeroAddress, signTypedData: async () => signature } as Wallet
      expect((await subscribe(wallet, webhook())).status).toBe(401)
    }
  })

  test('whose node is unavailable is 503, not 401; an ECDSA signature needs no node', async () => {
    const [contract, wallet] = [`0x${'c0'.repeat(20)}` as Address, newWallet()]
    const { signTypedData } = newWallet()
    const answer = await subscribe({ address: contract, signTypedData }, webhook({ chainId: 100 }))
    expect(answer.status).toBe(503)
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect((await subscribe(wallet, webhook({ chainId: 100 }))).status).toBe(201)
    expect(await selectRows()).toHaveLength(1)
  })
})

describe('an e-mail address', () => {
  const mails = () => asked.filter(({ path }) => path === '/challenge').length
  const html = { Accept: 'text/html,application/xhtml+xml' }
  const selectTokens = async () => {
    const [row] = await selectRows()
    return {
      confirm: `/subscriptions/confirm/${row?.confirmToken}`,
      end: `/subscriptions/unsubscribe/${row?.unsubscribeToken}`,
    }
  }

  test('is confirmed by the button behind the link, not by opening it', async () => {
    const wallet = newWallet()
    const { status, body } = await subscribe(wallet, email('Trader@EXAMPLE.com'))
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { confirmed: false, target: 'Trader@example.com', reason: expect.stringContaining('mail') },
    })
    expect(body.secret).toBeUndefined()
    const { confirm } = await selectTokens()
    for (const method of ['GET', 'HEAD', 'GET']) {
      const page = await ask(confirm, { method, headers: html })
      expect(page.status).toBe(200)
      expect(page.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
      expect(page.headers.get('Cache-Control')).toBe('no-store')
      expect(page.headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(page.headers.get('Content-Security-Policy')).toMatch(
        /^default-src 'none'; style-src 'self' 'nonce-[^']+'; img-src 'self'; form-action 'self'/,
      )
      if (method === 'GET') {
        expect(page.body).toContain(wallet.address.toLowerCase())
        expect(page.body).toContain('href="/docs/tokens.css"')
      }
      expect(page.body).not.toContain('<script')
    }
    expect((await list(wallet))[0]).toMatchObject({ confirmed: false })
    expect(await ask(confirm, { method: 'POST' })).toMatchObject({ status: 200, body: { confirmed: true } })
    expect((await list(wallet))[0]).toMatchObject({ confirmed: true })
    expect(await ask(confirm, { method: 'POST' })).toMatchObject({ status: 404, body: { message: expect.any(String) } })
    for (const method of ['POST', 'GET']) {
      expect((await ask(confirm, { method, headers: html })).body).toContain('no longer works')
    }
  })

  test('may have any form of the standard, and is stored in one spelling', async () => {
    const spellings = [
      ['trader@example.com', 'trader@example.com'],
      ['Trader@Example.COM', 'Trader@example.com'],
      ["o'brien+orders/7=a?b^c`d{e|f}g~h!#$%&*@example.com", "o'brien+orders/7=a?b^c`d{e|f}g~h!#$%&*@example.com"],
      ['"john doe"@example.com', '"john doe"@example.com'],
      ['"a\\"b..c@d"@example.com', '"a\\"b..c@d"@example.com'],
      ['"tr\\ader"@example.com', 'trader@example.com'],
      ['"john\\ doe"@example.com', '"john doe"@example.com'],
      ['cafe\u0301@example.com', 'caf\u00e9@example.com'],
      ['trader@bücher.example', 'trader@xn--bcher-kva.example'],
      ['trader@BÜCHER.example', 'trader@xn--bcher-kva.example'],
      ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
      ['a@b.co', 'a@b.co'],
      ['x@a-b.c--d.museum', 'x@a-b.c--d.museum'],
      [`${'l'.repeat(64)}@example.com`, `${'l'.repeat(64)}@example.com`],
    ] as const
    const wallet = newWallet()
    for (const [text, target] of spellings) {
      const { status, body } = await subscribe(wallet, email(text))
      expect([text, status < 300, body.target]).toEqual([text, true, target])
    }
  })

  test('is 400 in any other form', async () => {
    const malformed = {
      'no @': 'trader.example.com',
      'no local part': '@example.com',
      'no domain': 'trader@',
      'a domain of one label': 'trader@localhost',
      'a domain that is an address': 'trader@127.0.0.1',
      'an address literal': 'trader@[127.0.0.1]',
      'two dots': 'a..b@example.com',
      'a dot at an end': '.a@example.com',
      'a space': 'a b@example.com',
      'a line break': 'a\r\nBcc: x@example.com',
      'a line break in quotes': '"a\r\nb"@example.com',
      'a second address': 'a@example.com, b@example.com',
      'a second address in quotes': '"a <b@example.com>"@example.com',
      'a display name': 'Trader <a@example.com>',
      'a path': 'a@example.com/b',
      'a port': 'a@example.com:25',
      'an underscore in the domain': 'a@exa_mple.com',
      'a hyphen at the end of a label': 'a@example-.com',
      'a local part of 65 octets': `${'ü'.repeat(33)}@example.com`,
      '255 octets': `a@${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(62)}.${'b'.repeat(60)}.com`,
    }
    for (const [form, target] of Object.entries(malformed)) {
      const { status, body } = await subscribe(newWallet(), webhook(), { channel: 'email', target })
      expect([form, status, body.data.field]).toEqual([form, 400, 'target'])
    }
    expect(await selectRows()).toEqual([])
  })

  test('is confirmed in a browser', async () => {
    await subscribe(newWallet(), email())
    const { confirm } = await selectTokens()
    const headers = { ...html, 'Content-Type': 'application/x-www-form-urlencoded' }
    const { status, body } = await ask(confirm, { method: 'POST', headers, body: '' })
    expect({ status, body }).toEqual({ status: 200, body: expect.stringContaining('Confirmed') })
  })

  test('cannot be confirmed after a day, until it is posted again', async () => {
    const wallet = newWallet()
    await subscribe(wallet, email())
    const { confirm } = await selectTokens()
    await store.database.update(subscriptions).set({ createdAt: new Date(Date.now() - 86_400_000) })
    expect((await ask(confirm, { method: 'POST' })).status).toBe(404)
    await subscribe(wallet, email())
    expect((await ask(confirm, { method: 'POST' })).status).toBe(200)
  })

  test('gets at most three mails in an hour, from all accounts together', async () => {
    const [first, ...others] = Array.from({ length: 4 }, newWallet)
    for (const wallet of [...others, ...others]) await subscribe(wallet, email('Victim@example.com'))
    expect(mails()).toBe(3)
    const refused = await subscribe(first as Wallet, email('victim@example.com'))
    expect(refused).toMatchObject({ status: 201, body: { reason: expect.stringContaining('within the hour') } })
    expect(mails()).toBe(3)
    await subscribe(newWallet(), email('someone.else@example.com'))
    expect(mails()).toBe(4)
    await store.database.update(signedNonces).set({ expiresAt: new Date(Date.now() - 1_000) })
    await subscribe(first as Wallet, email('victim@example.com'))
    expect(mails()).toBe(5)
  })

  test('is unsubscribed in one click, with the same response for any token', async () => {
    await subscribe(newWallet(), email())
    const { end } = await selectTokens()
    const page = await ask(end, { headers: html })
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<form method="post">') })
    expect(await selectRows()).toHaveLength(1)
    const oneClick = {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }
    const stranger = `/subscriptions/unsubscribe/${'A'.repeat(43)}`
    for (const path of [stranger, end, end]) {
      expect(await ask(path, oneClick)).toMatchObject({ status: 200, body: { unsubscribed: true } })
    }
    expect(await selectRows()).toEqual([])
    expect(await ask(end, { ...oneClick, headers: html })).toMatchObject({
      status: 200,
      body: expect.stringContaining('Unsubscribed'),
    })
  })

  test('that was not confirmed is removed after a day, a webhook after a week', async () => {
    const wallet = newWallet()
    await subscribe(wallet, email())
    await subscribe(wallet, webhook())
    const channelsAfter = async (days: number) => {
      await store.database.update(subscriptions).set({ createdAt: new Date(Date.now() - days * 86_400_000 - 1_000) })
      await deleteStaleSubscriptions(store.database)
      return (await selectRows()).map(({ channel }) => channel)
    }
    expect(await channelsAfter(0)).toHaveLength(2)
    expect(await channelsAfter(1)).toEqual(['webhook'])
    expect(await channelsAfter(7)).toEqual([])
  })
})

describe('a Telegram chat', () => {
  const say = (text: unknown, chat: unknown = 77, secret = telegramSecret, env?: object) =>
    postJson(
      '/telegram/webhook',
      { update_id: 1, message: { message_id: 1, text, chat: { id: chat, type: 'private' } } },
      env,
      {
        'X-Telegram-Bot-Api-Secret-Token': secret,
      },
    )
  const link = async (wallet: Wallet, chat = 77, terms = telegram()) => {
    const { body } = await subscribe(wallet, terms)
    return {
      code: body.link.split('start=')[1] as string,
      reply: await say(`/start ${body.link.split('start=')[1]}`, chat),
      id: body.id,
    }
  }

  test('is linked by the code of the subscription, once', async () => {
    const wallet = newWallet()
    const { status, body } = await subscribe(wallet, telegram())
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        target: null,
        confirmed: false,
        link: expect.stringMatching(/^https:\/\/t\.me\/edgebook_bot\?start=[\w-]{32}$/),
      },
    })
    const again = await subscribe(wallet, telegram({ types: ['order_filled'] }))
    expect(again).toMatchObject({ status: 200, body: { id: body.id, link: body.link, types: ['order_filled'] } })
    const code = body.link.split('start=')[1]
    expect((await say(`/start ${code}`)).body).toEqual({
      method: 'sendMessage',
      chat_id: 77,
      text: expect.stringContaining(
        `Linked. edgebook will post notifications about the orders of ${wallet.address.toLowerCase()}`,
      ),
    })
    expect(await list(wallet)).toMatchObject([{ id: body.id, target: '77', confirmed: true, types: ['order_filled'] }])
    expect((await say(`/start ${code}`, 78)).body.text).toContain('already used')
    expect((await say(`/start ${code}`)).body.text).toContain(`notifications about ${wallet.address.toLowerCase()}`)
    expect(await list(wallet)).toHaveLength(1)
    expect(asked).toEqual([])
  })

  test('may have subscriptions of several accounts, and an account several chats', async () => {
    const [first, second] = [newWallet(), newWallet()]
    await link(first)
    await link(second)
    await link(first, -100_500)
    expect((await list(first)).map(({ target }) => target)).toEqual(['77', '-100500'])
    expect((await say('/start')).body.text).toContain(second.address.toLowerCase())
    expect((await say('/stop@edgebook_bot')).body.text).toContain('will not post notifications')
    expect((await list(first)).map(({ target }) => target)).toEqual(['-100500'])
    expect(await list(second)).toEqual([])
  })

  test('that is linked again gets the terms of the new subscription', async () => {
    const wallet = newWallet()
    const { id } = await link(wallet)
    await link(wallet, 77, telegram({ types: ['order_expired'] }))
    expect(await list(wallet)).toMatchObject([{ id, target: '77', types: ['order_expired'] }])
  })

  test('is updated by its id; an id that is not linked is rejected', async () => {
    const [wallet, stranger] = [newWallet(), newWallet()]
    const { id } = await link(wallet)
    const changed = await subscribe(wallet, telegram({ target: '77', networks: [100] }))
    expect(changed).toMatchObject({ status: 200, body: { id, networks: [100], confirmed: true } })
    expect((await subscribe(stranger, telegram({ target: '77' }))).status).toBe(404)
    expect(await list(stranger)).toEqual([])
  })

  test('cannot be linked by a code after a day', async () => {
    const { body } = await subscribe(newWallet(), telegram())
    await store.database.update(subscriptions).set({ createdAt: new Date(Date.now() - 86_400_000) })
    expect((await say(`/start ${body.link.split('start=')[1]}`)).body.text).toContain('older than a day')
  })

  test.each(['a\0b', '\ud83d', "'or1=1"])('that sends the malformed code %j gets a reply', async (code) => {
    const { status, body } = await say(`/start ${code}`)
    expect({ status, text: body.text }).toMatchObject({ status: 200, text: expect.stringContaining('already used') })
  })

  test.each(['hello', '/starting', '', undefined, { text: 1 }])('that sends %o gets no reply', async (text) => {
    expect(await say(text)).toMatchObject({ status: 200, body: {} })
    expect((await say(text)).body).toEqual({})
  })

  test('is authenticated by the secret token of the webhook', async () => {
    const wallet = newWallet()
    await link(wallet)
    for (const secret of ['', 'guess', `${telegramSecret}x`]) {
      expect((await say('/stop', 77, secret)).status).toBe(401)
    }
    expect(await list(wallet)).toHaveLength(1)
    const { TELEGRAM_WEBHOOK_SECRET: _, ...env } = settings
    expect((await say('/stop', 77, '', env)).status).toBe(503)
  })

  test('that sends another kind of update gets no reply', async () => {
    const headers = { 'X-Telegram-Bot-Api-Secret-Token': telegramSecret }
    for (const update of [{ update_id: 1 }, { message: null }, { message: { chat: 1 } }, { edited_message: {} }]) {
      expect(await postJson('/telegram/webhook', update, settings, headers)).toMatchObject({ status: 200, body: {} })
    }
  })
})

describe('a push', () => {
  let keys: { p256dh: string; auth: string }
  const toBase64Url = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(bytes as Uint8Array).toString('base64url')
  const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/12'

  beforeAll(async () => {
    const pair = await webcrypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
    const point = await webcrypto.subtle.exportKey('raw', pair.publicKey)
    keys = { p256dh: toBase64Url(point), auth: toBase64Url(randomBytes(16)) }
  })

  const push = (changes: object = {}) =>
    webhook({ channel: 'push', target: { endpoint, expirationTime: null, keys: { ...keys, ...changes } } })

  test('needs no confirmation; its endpoint is signed, its keys are never returned', async () => {
    const wallet = newWallet()
    const { status, body } = await subscribe(wallet, push())
    expect({ status, body }).toMatchObject({ status: 201, body: { target: endpoint, confirmed: true } })
    expect(JSON.stringify([body, await list(wallet)])).not.toContain(keys.auth)
    expect(await selectRows()).toMatchObject([{ pushKeys: keys, confirmedAt: expect.any(Date), secret: null }])
    const auth = toBase64Url(randomBytes(16))
    expect((await subscribe(wallet, push({ auth }))).status).toBe(200)
    expect(await selectRows()).toMatchObject([{ pushKeys: { ...keys, auth } }])
    expect(asked).toEqual([])
  })

  test.each([
    'https://fcm.googleapis.com/fcm/send/12',
    'https://wns2-par02p.notify.windows.com/w/?token=12',
    'https://web.push.apple.com/12',
  ])('to %s is accepted', async (endpoint) => {
    const terms = webhook({ channel: 'push', target: { endpoint, keys } })
    expect(await subscribe(newWallet(), terms)).toMatchObject({ status: 201, body: { target: endpoint } })
  })

  test.each<[string, object, string]>([
    ['a short secret', { auth: toBase64Url(new Uint8Array(15)) }, 'target.keys.auth'],
    ['a secret that is no base64url', { auth: '+'.repeat(22) }, 'target.keys.auth'],
    ['a short point', { p256dh: toBase64Url(new Uint8Array(33).fill(2)) }, 'target.keys.p256dh'],
    ['a point that is on no curve', { p256dh: toBase64Url(new Uint8Array(65).fill(4)) }, 'target.keys.p256dh'],
    ['an endless point', { p256dh: 'B'.repeat(4_000) }, 'target.keys.p256dh'],
    ['no keys', { p256dh: undefined }, 'target.keys.p256dh'],
  ])('with %s is 400', async (_, changes, field) => {
    const { status, body } = await subscribe(newWallet(), push(changes))
    expect({ status, field: body.data.field }).toEqual({ status: 400, field })
  })

  test.each([
    'https://10.0.0.1/',
    'https://push.example.com/send/12',
    'https://fcm.googleapis.com.example.com/fcm/send/12',
    'https://evilpush.apple.com/12',
    'https://xfcm.googleapis.com/fcm/send/12',
  ])('to %s, which is no push service, is 400', async (endpoint) => {
    const terms = webhook({ channel: 'push', target: { endpoint, keys } })
    expect(await subscribe(newWallet(), terms)).toMatchObject({
      status: 400,
      body: { data: { field: 'target.endpoint' } },
    })
  })
})

describe('the channels of a deployment', () => {
  test('include everything that a client signs', async () => {
    const { status, body } = await ask('/notifications/channels')
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        channels: ['webhook', 'email', 'telegram', 'push'],
        networks: [
          { chainId: 100, name: 'gnosis' },
          { chainId: sepolia, name: 'sepolia' },
        ],
        vapidPublicKey: 'BNcRd',
        telegramBot: 'edgebook_bot',
        typedData: {
          domain: { name: 'edgebook notifications', version: '1' },
          types: messageTypes,
          maxSecondsAhead: { write: 3_600, list: 86_400 },
        },
      },
    })
    expect(body.types).toEqual(notificationTypes)
  })

  test('are those with complete settings; others are rejected', async () => {
    const { EMAIL_FROM, TELEGRAM_BOT_NAME, VAPID_PUBLIC_KEY, ...env } = settings
    const offered = { channels: ['webhook'], vapidPublicKey: null, telegramBot: null }
    expect((await ask('/notifications/channels', {}, env)).body).toMatchObject(offered)
    expect(await subscribe(newWallet(), email(), {}, env)).toMatchObject({
      status: 400,
      body: { data: { field: 'channel', expected: 'one of webhook' } },
    })
  })

  test('have the name of the service in their signing domain', async () => {
    const env = { ...settings, SERVICE_NAME: 'acme' }
    const { domain } = (await ask('/notifications/channels', {}, env)).body.typedData
    expect(domain.name).toBe('acme notifications')
    expect((await subscribe(newWallet(), webhook(), {}, env)).status).toBe(401)
  })
})

test.each<[string, object]>([
  ['the program', { CMS_ENABLED: 'false' }],
  ['its key', { CMS_API_KEY: '' }],
  ['a database', { DATABASE_URL: '' }],
  ['a notifier', { NOTIFIER: undefined }],
])('without %s subscriptions are 503', async (_, changes) => {
  const env = { ...settings, ...changes }
  const wallet = newWallet()
  const answers = [
    await ask('/notifications/channels', {}, env),
    await subscribe(wallet, webhook(), {}, env),
    await send('list', wallet.address, '', await authorize(wallet, manage('list')), env),
  ]
  for (const { status, body, headers } of answers) {
    expect({ status, message: body.message }).toEqual({
      status: 503,
      message: expect.stringContaining('notifications are'),
    })
    expect(headers.get('Cache-Control')).toBe('no-store')
  }
})
