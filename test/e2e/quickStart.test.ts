import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readNetworks } from '#shared/networks/readNetworks.ts'
import type { Network } from '#shared/networks.ts'
import { type DevAccount, devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { fundAccounts } from '#tools/stack/chain/fundAccounts.ts'
import { buildQuickStart } from '#tools/workers/buildQuickStart.ts'
import { fillQuickStart } from '../../functions/gateway/pages/fillQuickStart.ts'
import { createTokenlessAccount } from '../helpers/orders/createTrader.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack

beforeAll(async () => {
  stack = await useSharedStack()
})
afterAll(() => stack?.stop())

const findOrder = async (uid: string | undefined): Promise<object> => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders/${uid}`)
  expect(response.status).toBe(200)
  return (await response.json()) as object
}

/** An order that stays open. */
const placeOrder = ({ privateKey }: DevAccount) =>
  postSignedOrder(stack.info, privateKey, {
    ...{ sellToken: stack.info.tokens.WETH?.address as Address, buyToken: stack.info.tokens.USDC?.address as Address },
    ...{ sellAmount: 10n ** 15n, buyAmount: 10n ** 12n },
  })

/** Snippets of the quick start by client and step, as a reader copies them. */
const readSnippets = (page: string): Map<string, Map<string, string>> => {
  const found = page.matchAll(/<pre data-client="(\w+)"><code data-step="(\w+)">(.*?)<\/code>/gs)
  const snippets = new Map<string, Map<string, string>>()
  for (const [, client = '', step = '', code = ''] of found) {
    const steps = snippets.get(client) ?? new Map<string, string>()
    snippets.set(
      client,
      steps.set(step, code.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&')),
    )
  }
  return snippets
}

const readPage = async (): Promise<string> => (await fetch(`${stack.info.baseUrl}/docs`)).text()

const quickStart = ['setUp', 'approve', 'quote', 'sign', 'submit', 'follow', 'cancel']

const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

type Client = {
  program: string
  args: string[]
  file: string
  /** of the node, which signs for it; else a new one, whose key the client has */
  account?: DevAccount
  /** names the order to cancel */
  setUid: (uid: string) => string
}

/** The account that the snippets name, and one in its place that the node signs for. */
const [snippetAccount, , , , signedByNode] = devAccounts
const script = { program: process.execPath, args: [], setUid: (uid: string) => `const uid = '${uid}'` }

/** How a reader runs the snippets. */
const clients: Record<string, Client> = {
  sdk: { ...script, file: 'sdk.mts' },
  fetch: { ...script, file: 'fetch.mts' },
  curl: {
    program: 'bash',
    args: ['-euo', 'pipefail'],
    file: 'curl.sh',
    account: signedByNode,
    setUid: (uid) => `ORDER=${uid}`,
  },
}

/** A folder from which the packages of the snippets are found; Node strips no types inside `node_modules`. */
const createFolder = async (): Promise<string> => {
  const dist = join(import.meta.dirname, '../../dist')
  await mkdir(dist, { recursive: true })
  return mkdtemp(join(dist, 'quick-start-'))
}

/**
 * Runs the snippets as one program, against this stack and with an account in the place of the one that they name.
 * @param until ends a program that follows events until it is interrupted
 * @returns everything that it printed
 */
const runSnippets = async (
  { program, args, file }: Client,
  account: DevAccount,
  codes: string[],
  until?: string,
): Promise<string> => {
  const folder = await createFolder()
  try {
    const source = codes
      .join('\n')
      .replaceAll('http://localhost:8787', stack.info.baseUrl)
      .replaceAll(snippetAccount.address, account.address)
      .replaceAll(snippetAccount.privateKey, account.privateKey)
    await writeFile(join(folder, file), source)
    const child = spawn(program, [...args, join(folder, file)], { detached: true })
    let output = ''
    const end = () => process.kill(-(child.pid ?? 0))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data
        if (until !== undefined && output.includes(until) && child.exitCode === null && child.signalCode === null) end()
      })
    }
    const [code, signal] = await once(child, 'close')
    if (code !== 0 && signal === null) throw new Error(`${file} exits with ${code}:\n${output}`)
    return output
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.each(Object.entries(clients))('the quick start for %s', (name, client) => {
  const isRunnable = name !== 'curl' || ['bash', 'curl', 'jq'].every(hasProgram)

  test.runIf(isRunnable)('trades and cancels as it is written', async () => {
    const { setUid } = client
    const account = client.account ?? (await createTokenlessAccount(stack))
    await fundAccounts(stack.chain, stack.info.tokens as Parameters<typeof fundAccounts>[1], [account.address])
    const steps = readSnippets(await readPage()).get(name)
    expect([...(steps?.keys() ?? [])]).toEqual(quickStart)
    const code = (step: string) => steps?.get(step) ?? ''
    const trade = quickStart.slice(0, -1).map(code)
    // curl follows the events until it is interrupted
    const output = await runSnippets(client, account, trade, name === 'curl' ? '"label":"traded"' : undefined)
    const [uid] = /0x[0-9a-f]{112}/.exec(output) ?? []
    expect(uid, output).toContain(account.address.slice(2))
    expect(await findOrder(uid)).toMatchObject({ status: 'fulfilled' })

    const open = await placeOrder(account)
    await runSnippets(client, account, [...['setUp', 'quote', 'sign'].map(code), setUid(open), code('cancel')])
    expect(await findOrder(open)).toMatchObject({ status: 'cancelled' })
  })
})

const own = readNetworks(
  JSON.stringify({
    own: {
      ...{
        label: 'Own',
        chainId: 424_242,
        nativeSymbol: "O'N",
        wrappedNative: `0x${'0a'.repeat(20)}`,
        blockTimeSeconds: 2,
      },
      ...{ usdReference: { address: `0x${'0b'.repeat(20)}`, decimals: 18 } },
      contracts: { settlement: `0x${'0c'.repeat(20)}`, vaultRelayer: `0x${'0d'.repeat(20)}` },
    },
  }),
) as Record<string, Network>

test('the TypeScript of the quick start compiles, for the stack and for an own network', {
  timeout: patienceMs,
}, async () => {
  const page = await readPage()
  const written = await buildQuickStart(join(import.meta.dirname, '../..'))
  const filled = fillQuickStart(written, own.own as Network, undefined, false)
  for (const literal of ['localhost:8545', '/sepolia', '11155111', snippetAccount.privateKey, snippetAccount.address])
    expect(filled).not.toContain(literal)
  const folder = await createFolder()
  try {
    const files = ['sdk', 'fetch'].flatMap((client) =>
      [page, filled].map((text, index) => {
        const codes = [...(readSnippets(text).get(client)?.values() ?? [])]
        return { file: join(folder, `${client}${index}.mts`), text: codes.join('\n') }
      }),
    )
    for (const { file, text } of files) await writeFile(file, text)
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'esnext',
      '--skipLibCheck',
      '--types',
      'node',
    ]
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const child = spawn(tsc, [...flags, '--ignoreConfig', ...files.map(({ file }) => file)])
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data))
    await once(child, 'close')
    expect(output).toBe('')
  } finally {
    await rm(folder, { recursive: true })
  }
})
