import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { encodeFunctionData, erc20Abi, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import {
  browserTest,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openConsole,
} from '../helpers/console/browser.ts'
import { closePages, useBrowser } from '../helpers/console/sharedBrowser.ts'
import { type FaultyProxy, startFaultyProxy } from '../helpers/http/faultyProxy.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { startBareTestStack } from '../helpers/stack/testStack.ts'

const example = join(import.meta.dirname, '../../examples/solver.ts')
const { address: solverAddress, privateKey: solverKey } = devAccounts[5]
const path = '/status?network=sepolia'
/** For figures that follow the next response or frame. */
const patient = { timeout: patienceMs }

let solver: ChildProcess
let database: FaultyProxy
let stack: Stack
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  const [port, rpcPort, dbPort] = [
    await findPort(0, 'PORT'),
    await findPort(0, 'RPC_PORT'),
    await findPort(0, 'DB_PORT'),
  ]
  // proxy for the status alone, so that only it can be interrupted
  database = await startFaultyProxy(dbPort)
  const DATABASE_URL = `postgres://edgebook:edgebook@127.0.0.1:${database.port}/edgebook`
  solver = spawn(process.execPath, [example], {
    env: { PORT: `${port}`, RPC_URL: `http://127.0.0.1:${rpcPort}`, SOLVER_PRIVATE_KEY: solverKey },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  ;[stack, browser] = await Promise.all([
    startBareTestStack({
      ...{ rpcPort, dbPort },
      extraSolvers: [{ name: 'example', address: solverAddress, url: `http://127.0.0.1:${port}` }],
      vars: { status: { DATABASE_URL } },
    }),
    useBrowser(),
  ])
})

afterAll(async () => {
  await closePages(browser)
  await stack?.stop()
  await database?.close()
  if (solver?.kill()) await once(solver, 'exit')
})

type Solver = { name: string | null; solutions: number; missedAuctions: number }

const findSolver = async (name: string): Promise<Solver | undefined> => {
  const response = await fetch(`${stack.info.baseUrl}/sepolia/status.json`)
  const { solvers = [] } = (await response.json()) as { solvers?: Solver[] }
  return solvers.find((candidate) => candidate.name === name)
}

const eventually = (what: string, isTrue: () => Promise<boolean>) =>
  waitUntil(what, isTrue, { timeoutMs: 120_000, intervalMs: 1_000 })

/** Sells a little repeatedly, so that there are many auctions, until it is stopped. */
const keepTrading = (): (() => Promise<void>) => {
  const { WETH, USDC } = stack.info.tokens
  if (!WETH || !USDC) throw new Error('tokens missing')
  const [sellToken, buyToken] = [WETH.address, USDC.address]
  const privateKey = stack.info.accounts[0]?.privateKey as Hex
  let isStopped = false
  const trading = (async () => {
    for (let i = 0; !isStopped; i += 1) {
      // another UID each
      const validTo = Math.floor(Date.now() / 1_000) + 600 + i
      const sellAmount = parseUnits('0.01', 18)
      await postSignedOrder(stack.info, privateKey, { sellToken, buyToken, sellAmount, buyAmount: 1n, validTo })
      await sleep(1_000)
    }
  })()
  return async () => {
    isStopped = true
    await trading
  }
}

const stockUp = async (): Promise<void> => {
  const { USDC } = stack.info.tokens
  if (!USDC) throw new Error('no USDC')
  const args = [solverAddress, parseUnits('100000', USDC.decimals)] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
  await sendFrom(stack.chain, devAccounts[7].address, { to: USDC.address, data })
}

/** Returns true when each plot shows more than its background. */
const countDrawn = (page: Page): Promise<number> =>
  page.evaluate<number>(`[...document.querySelectorAll('.plot canvas')].filter((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    return new Set(new Uint32Array(data.buffer)).size > 2
  }).length`)

const readColour = (page: Page, selector: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)

/** A picture of the plots as text: it changes with their colours. */
const readPlots = (page: Page): Promise<string> =>
  page.evaluate<string>(`[...document.querySelectorAll('.plot canvas')].map((canvas) => canvas.toDataURL()).join()`)

browserTest(
  'a stopped solver is an alarm with text and advice, and figures are plotted in light, dark and narrow layouts',
  async () => {
    const trader = connectTrader(stack.info, stack.info.accounts[0]?.privateKey as Hex)
    await trader.approveRelayer(stack.info.contracts.wrappedNative)
    await stockUp()
    const stopTrading = keepTrading()
    try {
      await eventually('the example solver takes part', async () => ((await findSolver('example'))?.solutions ?? 0) > 0)
      const { page, check, close } = await openConsole(browser, stack.info.baseUrl, path)
      const row = page.getByRole('row', { name: /^example/ })
      await row.waitFor()
      expect(await row.textContent()).not.toContain('over 10')
      const alarms = page.getByRole('list', { name: 'Alarms' })
      expect(await alarms.getByText('Solver stopped').count()).toBe(0)

      solver.kill()
      await eventually('it has missed many auctions', async () => {
        return ((await findSolver('example'))?.missedAuctions ?? 0) > 10
      })
      const alarm = alarms.getByRole('listitem').filter({ hasText: 'Solver stopped: missed auctions of example' })
      await alarm.waitFor()
      await expect
        .poll(() => alarm.textContent(), patient)
        .toMatch(/^alarm .*: \d\d.*does its driver run\?.*Rule: .*> 10\./)
      await expect.poll(() => row.textContent(), patient).toContain('alarm over 10')
      await expect.poll(() => readColour(page, '.solvers .over .chip'), patient).toBe('rgb(179, 38, 30)')
      // the others continue
      expect(await page.getByRole('row', { name: /^direct/ }).textContent()).not.toContain('over 10')
      // a loaded machine may exceed another limit, too
      await expect.poll(() => page.title(), patient).toMatch(/^\d+ alarms? · Status · edgebook$/)
      await page.getByRole('link', { name: /Sepolia \d+ alarms?/ }).waitFor()
      await expect.poll(() => page.getByRole('status').textContent(), patient).toMatch(/^Sepolia: \d+ alarms?$/)

      await expect.poll(() => page.locator('.plot').count(), patient).toBe(5)
      await expect.poll(() => countDrawn(page), patient).toBe(5)
      await page.getByText('Fills each hour as a table').click()
      await page.getByRole('region', { name: 'Fills each hour, table' }).getByRole('row').nth(24).waitFor()
      await page.getByText('This status as JSON').click()
      await page.locator('pre', { hasText: '"missedAuctions"' }).waitFor()
      await expectAccessible(page)
      const light = await readPlots(page)
      await page.getByRole('combobox', { name: 'Colours' }).selectOption('dark')
      await waitUntil('the plots are dark', async () => (await readPlots(page)) !== light, { timeoutMs: patienceMs })
      await expect.poll(() => countDrawn(page), patient).toBe(5)
      await expectAccessible(page)
      check()
      await close()

      for (const dark of [false, true]) {
        const narrow = await openConsole(browser, stack.info.baseUrl, path, { width: 360, dark })
        await narrow.page.getByRole('row', { name: /^example/ }).waitFor()
        await narrow.page.locator('.plot canvas').last().waitFor()
        await expectNoSidewaysScroll(narrow.page)
        await expectAccessible(narrow.page)
        await narrow.close()
      }
    } finally {
      await stopTrading()
    }
  },
)

browserTest('a network without a status is an alarm, and recovers without a reload', async () => {
  const { page, close } = await openConsole(browser, stack.info.baseUrl, path, { expected: /status\.json fails/ })
  await page.getByRole('row', { name: /^direct/ }).waitFor()
  database.set('cut')
  await page.getByRole('link', { name: /Sepolia alarm: unavailable/ }).waitFor()
  const alarm = page.getByRole('list', { name: 'Alarms' }).getByRole('listitem')
  expect(await alarm.textContent()).toMatch(
    /status of the network is unavailable.*\/readyz.*for 1 minute\. Seen here for/,
  )
  await expectAccessible(page)
  database.set('open')
  await page.getByRole('row', { name: /^direct/ }).waitFor()

  // a dead service: no figure pretends to be current
  await page.route('**/status.json', (route) => route.abort('connectionrefused'))
  await page.getByRole('alert').getByText('The service does not respond.').waitFor()
  await page.getByRole('link', { name: /^Sepolia Offline/ }).waitFor()
  await expect.poll(() => page.getByText('operational', { exact: false }).count(), patient).toBe(0)
  await expectAccessible(page)
  await page.unroute('**/status.json')
  await page.getByRole('link', { name: /^Sepolia (Operational|\d+ alarm)/ }).waitFor({ timeout: patienceMs })
  await close()
})
