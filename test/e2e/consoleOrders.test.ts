import type { Page, Route } from 'playwright-core'
import { type Address, pad, parseEther, parseUnits, toHex } from 'viem'
import { beforeAll, describe, expect } from 'vitest'
import { connectDatabase } from '#schema/client.ts'
import { insertOrder } from '#schema/queries/orders/orders.ts'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { deployShallowToken } from '../helpers/chain/shallowToken.ts'
import {
  browserTest,
  type ConsoleOptions,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
} from '../helpers/console/browser.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { newOrder, orderUidOf } from '../helpers/database/newOrder.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { useSharedStack } from '../helpers/stack/useSharedStack.ts'

/** Longest time until an open page shows a settled order. */
const liveMs = 60_000
/** seconds from its placement */
const shortLife = 40
/** Owns rows without a signature. */
const busyOwner: Address = `0x${'77'.repeat(20)}`
const busyOrders = 60

const own = setUpConsole(() => useSharedStack())
const { token, open } = own

let owner: DevAccount
let other: DevAccount
let partOwner: DevAccount

/** far from the market, and about to expire */
let expiring: string
let expiresAt: number
let filled: string

beforeAll(async () => {
  if (!hasBrowser) return
  ;[owner, other, partOwner] = [own.account(0), own.account(1), own.account(2)]
  for (const { privateKey } of [owner, other]) await connectTrader(own.stack.info, privateKey).approveRelayer(weth())
  filled = await fillSwap(own.stack.info, owner.privateKey, '1')
  expiresAt = Math.floor(Date.now() / 1_000) + shortLife
  expiring = await post({ buyAmount: parseUnits('4000', 6), validTo: expiresAt })
  const isNotified = async () =>
    (await findNotifications(owner.address, filled)).some(({ type }) => type === 'order_filled')
  await waitUntil('the fill is notified', isNotified, { timeoutMs: patienceMs })
})

const weth = (): Address => token('WETH')

/** An order of the first account that sells 1 WETH for USDC. */
const post = (terms: { buyAmount: bigint; validTo?: number; sellAmount?: bigint }): Promise<string> =>
  postSignedOrder(own.stack.info, owner.privateKey, {
    sellToken: weth(),
    buyToken: token('USDC'),
    sellAmount: parseEther('1'),
    ...terms,
  })

const openOrder = (uid: string, options: ConsoleOptions = {}) => open(`/orders/${uid}?network=sepolia`, options)

const waitForText = (page: Page, selector: string, text: string | RegExp, timeout = liveMs) =>
  page.locator(selector, { hasText: text }).first().waitFor({ timeout })

/** Atoms of the amounts in an element, from their titles. */
const readAtoms = async (page: Page, selector: string): Promise<string[]> => {
  const titles = await page
    .locator(`${selector} .amount`)
    .evaluateAll((all) => all.map((one) => one.getAttribute('title')))
  return titles.map((title) => title?.split(' ')[0] ?? '')
}

type Notification = {
  type: string
  message: string
  metadata: {
    orderUid: string
    surplus?: { amount: string }
    improvement?: { amount: string } | null
    transactionHash?: string
  }
}
const findNotifications = async (account: Address, uid: string): Promise<Notification[]> => {
  const response = await fetch(`${own.stack.info.baseUrl}/accounts/${account}/notifications`)
  return ((await response.json()) as Notification[]).filter(({ metadata }) => metadata.orderUid === uid)
}

describe('the page of a filled order', () => {
  browserTest('shows time, amounts, cost and winner with the figures of the API', async () => {
    const { page, close } = await openOrder(filled)
    await waitForText(page, 'h1', /^Sold 1 WETH for [\d,.]+ USDC$/)
    expect(await page.title()).toMatch(/^Order 0x/)
    expect(await page.locator('meta[property="og:title"]').getAttribute('content')).toMatch(/^Order 0x/)
    const manifest = await page.locator('link[rel=manifest]').getAttribute('href')
    expect(await (await fetch(own.stack.info.baseUrl + manifest)).json()).toMatchObject({ display: 'standalone' })
    await waitForText(page, '.order-head .chip.ok', 'Filled')
    await waitForText(page, '.diagnosis', /The order is filled: 1 WETH for [\d,.]+ USDC\./)
    const order = await own.book.get<Record<string, string>>(`/orders/${filled}`)
    const [notification] = (await findNotifications(owner.address, filled)).filter(
      ({ type }) => type === 'order_filled',
    )
    const tile = (title: string) => `.tile:has(h2:text-is("${title}"))`
    const surplus = await readAtoms(page, tile('Better than limit'))
    expect(surplus[0]).toBe(notification?.metadata.surplus?.amount)
    const { improvement } = notification?.metadata ?? {}
    if (improvement) expect(surplus[1]).toBe(improvement.amount)
    expect(await readAtoms(page, 'h1')).toEqual([order.executedSellAmount, order.executedBuyAmount])
    expect(await readAtoms(page, tile('Fees'))).toEqual([order.executedFee])
    await waitForText(page, tile('Filled'), /in [\d.]+ s/)
    for (const title of ['Better than limit', 'Fees']) await waitForText(page, tile(title), /· \$\d/)
    await waitForText(page, '.details', /Settled by.*(than the runner-up|the only solver|offered the same)/)
    await close()
  })

  browserTest('shows its timeline in order, with the part named by the link', async () => {
    const { page, close } = await openOrder(filled)
    await waitForText(page, '.timeline-list', 'Notified: Your order')
    // the competition is loaded separately
    await waitForText(page, '.timeline-list', /for the order, \S+ won with a score/)
    const lines = await page.locator('.timeline-list > li > div').allTextContents()
    const expected = [
      /^Placed/,
      /^Entered auction \d+/,
      /^Auction \d+: .* for the order, \S+ won with a score of [\d.]+ ETH/,
      /submitted the settlement: success after/,
      /^Sold 1 WETH for [\d,.]+ USDC in 0x/,
      /^Notified: Your order/,
    ]
    const places = expected.map((text) => lines.findIndex((line) => text.test(line)))
    expect(places, lines.join('\n')).toEqual(places.toSorted((a, b) => a - b))
    expect(places).not.toContain(-1)
    expect(await page.locator('.lane-name').allTextContents()).toEqual(
      expect.arrayContaining(['Order', 'In the auctions', 'Solutions', 'Won', 'Settling', 'Trades', 'Notifications']),
    )

    await page.getByRole('button', { name: 'Around the fill' }).press('Enter')
    expect(new URL(page.url()).searchParams.get('view')).toBe('fill')
    const caption = page.locator('.timeline-chart figcaption')
    const around = await caption.textContent()
    await page.reload()
    await caption.waitFor()
    expect(await caption.textContent()).toBe(around)
    await page.getByRole('button', { name: 'Zoom in' }).click()
    expect(new URL(page.url()).searchParams.get('view')).toMatch(/^-?\d+-\d+$/)
    await page.getByRole('button', { name: 'Whole life' }).click()
    expect(new URL(page.url()).searchParams.get('view')).toBeNull()
    await close()
  })

  browserTest('ranks the solutions of its auction, and shows every response as JSON', async () => {
    const { page, close } = await openOrder(filled)
    const rows = page.locator('section:has(#competition) tbody tr')
    await rows.first().waitFor()
    const [trade] = await own.book.get<{ txHash: string }[]>(`/v2/trades?orderUid=${filled}`)
    const competition = await own.book.get<{ auctionId: number; solutions: { score: string }[] }>(
      `/v2/solver_competition/by_tx_hash/${trade?.txHash}`,
    )
    await waitForText(page, '#competition', `auction ${competition.auctionId}`)
    const scores = await readAtoms(page, 'section:has(#competition) .score')
    expect(scores).toEqual(competition.solutions.map(({ score }) => score).reverse())
    await waitForText(page, 'tr.winner', 'Winner')
    const widths = await page
      .locator('.score .bar > span')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().width))
    expect(widths).toEqual(widths.toSorted((a, b) => b - a))

    const link = page.locator('section:has(#trades) a').first()
    expect(await link.getAttribute('href')).toBe(`/transactions/${trade?.txHash}?network=sepolia`)
    await page.getByRole('tab', { name: 'Developer' }).click()
    await page.getByText('Debug report as JSON').click()
    const raw = JSON.parse((await page.locator('details[open] pre').textContent()) ?? '')
    expect(raw).toMatchObject({ orderUid: filled, diagnosis: { code: 'fulfilled' } })
    await close()
  })

  browserTest.each([
    ['light', 1_280, false],
    ['dark', 1_280, true],
    ['a phone', 360, false],
    ['a phone, dark', 360, true],
  ])('is accessible: %s', async (_, width, dark) => {
    const { page, close } = await openOrder(filled, { width, dark })
    await waitForText(page, '.timeline-list', 'Notified: Your order')
    await page.locator('tr.winner').waitFor()
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
    await close()
  })

  browserTest('shows public data where the diagnosis is for operators only', async () => {
    const json = { errorType: 'Unauthorized', description: 'this route asks for a bearer token' }
    const { page, close } = await openOrder(filled, {
      expectedStatuses: [401],
      prepare: (blank) => blank.route('**/debug/order/**', (route) => route.fulfill({ status: 401, json })),
    })
    await waitForText(page, '.notice', 'this deployment shows it only to its operators')
    await waitForText(page, '.tile', 'Better than limit')
    await waitForText(page, '.timeline-list', 'A solver won auction')
    await page.locator('tr.winner').waitFor()
    await close()
  })
})

describe('live updates of an open page', () => {
  browserTest('an order is filled in part, and then the rest', async () => {
    const shallow = await deployShallowToken(own.stack.chain, 'SHALLOW', '10', '30000')
    await shallow.fund(partOwner.address, '5000')
    const uid = await postSignedOrder(own.stack.info, partOwner.privateKey, {
      sellToken: shallow.address,
      buyToken: weth(),
      sellAmount: parseEther('5000'),
      buyAmount: (parseEther('5000') * 10n) / 33_000n,
      partiallyFillable: true,
    })
    // what the page reads, in order
    const reads: string[] = []
    const { page, close } = await openOrder(uid, {
      prepare: async (blank) => {
        blank.on('request', (request) => request.url().includes('/v2/trades?') && reads.push('trades'))
        await blank.route('**/debug/order/**', async (route) => {
          const response = await route.fetch()
          reads.push('report')
          await route.fulfill({ response })
        })
      },
    })
    await waitForText(page, '.live-mark.live', 'Live')
    await waitForText(page, '.order-head .chip.live', 'Partially filled')
    // no trade of the report is missing in the list
    expect(reads.slice(0, 2)).toEqual(['report', 'trades'])
    await waitForText(page, '.filled-share', /^2\d\.\d+ % filled/)
    await waitForText(page, '.tile', 'Filled so far')
    await expectAccessible(page)
    // the share is the same everywhere
    const [share = ''] = /^[\d.]+ %/.exec((await page.locator('.filled-share').textContent()) ?? '') ?? []
    await waitForText(page, '.filled-share', /: sold [\d,.]+ SHALLOW for [\d,.]+ WETH/)
    await waitForText(page, '.timeline-list', `is filled to ${share} now`)
    const list = await page.context().newPage()
    await list.goto(`${own.stack.info.baseUrl}/accounts/${partOwner.address}?network=sepolia`)
    await list
      .locator('.order-row', { has: list.locator(`a[href*="${uid}"]`) })
      .getByText(share, { exact: true })
      .waitFor()
    await list.close()
    await shallow.deepen('1000', '3000000')
    await waitForText(page, '.order-head .chip.ok', 'Filled')
    const trades = await own.book.get<{ sellAmount: string }[]>(`/v2/trades?orderUid=${uid}`)
    const countRows = () => page.locator('section:has(#trades) tbody tr').count()
    await expect.poll(countRows, { timeout: patienceMs }).toBe(trades.length)
    expect(
      await page.locator('section:has(#trades) td[data-label=Sold] .amount').first().getAttribute('title'),
    ).toContain(trades[0]?.sellAmount)
    await close()
  })

  browserTest('an order is cancelled', async () => {
    const uid = await post({ buyAmount: parseUnits('4100', 6), sellAmount: parseEther('0.9') })
    const { page, close } = await openOrder(uid)
    await waitForText(page, '.live-mark.live', 'Live')
    const link = page.getByRole('link', { name: 'Follow or cancel' })
    expect(await link.getAttribute('href')).toBe(`/?network=sepolia&order=${uid}`)
    await page.getByRole('button', { name: 'Simulate settlement' }).click()
    await waitForText(page, '.checks .fail', 'Price fails: out of market')
    await waitForText(page, '.checks .pass', 'Balance passes')
    await own.book.cancel(uid, owner.privateKey)
    await waitForText(page, '.order-head .chip.ended', 'Cancelled')
    await waitForText(page, '.diagnosis', 'The owner cancelled the order by a signature.')
    await waitForText(page, '.timeline-list', 'Cancelled')
    await close()
  })
})

describe('search', () => {
  const search = async (page: Page, text: string) => {
    const box = page.getByRole('searchbox')
    await box.fill(text)
    await box.press('Enter')
  }

  browserTest('leads to an order, a transaction, an account and an auction', async () => {
    const [trade] = await own.book.get<{ txHash: string }[]>(`/v2/trades?orderUid=${filled}`)
    const hash = trade?.txHash ?? ''
    const { page, close } = await open('/status?network=sepolia')
    await search(page, ` ${filled.toUpperCase().slice(2)} `)
    await waitForText(page, '.chip', 'Filled')
    expect(new URL(page.url()).pathname).toBe(`/orders/${filled}`)
    expect(await page.title()).toContain('Order 0x')

    await search(page, `https://sepolia.etherscan.io/tx/${hash}#eventlog`)
    await page.waitForURL(`**/transactions/${hash}*`)
    await waitForText(page, 'h2', 'Settled order')
    type Settled = { txHash: string | null; settlement?: { block: number; gasUsed: string } }
    const { solutions } = await own.book.get<{ solutions: Settled[] }>(`/v2/solver_competition/by_tx_hash/${hash}`)
    const settlement = solutions.find(({ txHash }) => txHash === hash)?.settlement
    const facts = page.getByRole('region', { name: 'Transaction' })
    await facts.getByText(String(settlement?.block), { exact: true }).waitFor()
    await facts.getByText(Number(settlement?.gasUsed).toLocaleString('en'), { exact: true }).waitFor()
    const flow = page.getByRole('table', { name: 'Token flow' })
    await flow.getByRole('row', { name: /^WETH 1 WETH/ }).waitFor()
    const executed = await own.book.get<{ buyAmount: string }[]>(`/v2/trades?orderUid=${filled}`)
    expect(await readAtoms(page, 'table:has(caption:text-is("Token flow"))')).toContain(executed[0]?.buyAmount)
    await page.locator('tr.winner').waitFor()
    await expectAccessible(page)
    await page.locator('.order-rows a', { hasText: '1 WETH' }).click()
    await page.waitForURL(`**/orders/${filled}?network=sepolia`)

    await search(page, owner.address.slice(2))
    await page.waitForURL(`**/accounts/${owner.address}?network=sepolia`)
    await waitForText(page, '.order-rows', /1 WETH\s*→\s*for\s*4,000 USDC/)
    await waitForText(page, '.notifications', /Your order on Sepolia sold 1 WETH/)

    const { auctionId } = await own.book.get<{ auctionId: number }>(`/v2/solver_competition/by_tx_hash/${hash}`)
    await search(page, String(auctionId))
    await waitForText(page, 'h1', `Auction ${auctionId}`)
    await page.locator('tr.winner').first().waitFor()
    const solved = page.getByRole('table', { name: /^Orders of the solutions/ })
    await solved
      .getByRole('row', { name: /Winner/ })
      .getByText(/^USDC per WETH$/)
      .first()
      .waitFor()
    await expectAccessible(page)
    await close()
  })

  browserTest('suggests tokens and pairs while a text is typed', async () => {
    const { page, close } = await open('/status?network=sepolia')
    const box = page.getByRole('searchbox')
    const suggestions = page.getByRole('list', { name: 'Suggestions' })
    await box.pressSequentially('usdc')
    await suggestions.getByRole('link', { name: /^USDC/ }).waitFor()
    await expectAccessible(page)
    await box.press('Enter')
    await page.waitForURL(`**/tokens/${own.token('USDC')}?network=sepolia`)
    await box.fill('weth/usdc')
    await suggestions.getByRole('link', { name: 'WETH → USDC' }).click()
    await page.waitForURL((url) => url.searchParams.get('buy') === own.token('USDC'))
    expect(await suggestions.count()).toBe(0)
    await close()
  })

  browserTest('explains invalid input', async () => {
    const { page, close } = await open('/status?network=sepolia')
    await search(page, '0x12345678901234567890')
    await waitForText(
      page,
      '.search-hint',
      '20 hex digits are too few for an account (40), a transaction (64) or an order (112).',
    )
    expect(await page.getByRole('searchbox').getAttribute('aria-invalid')).toBe('true')
    expect(new URL(page.url()).pathname).toBe('/status')
    await page.getByRole('searchbox').fill('')
    await page.locator('.search-hint').waitFor({ state: 'hidden' })
    await close()
  })

  browserTest('an unknown order and an unknown transaction say why, and lead to another', async () => {
    const { page, close } = await open(`/orders/0x${'12'.repeat(56)}`, { expectedStatuses: [404] })
    await page.getByRole('heading', { name: 'Order not found' }).waitFor()
    await waitForText(page, '.missing', 'It is of another network.')
    await expectAccessible(page)
    await search(page, `0x${'34'.repeat(32)}`)
    await page.getByRole('heading', { name: 'Transaction not found' }).waitFor()
    const field = page.getByRole('textbox', { name: 'Another order, transaction, account or auction' })
    await field.fill('0x12')
    await field.press('Enter')
    await waitForText(page, '.missing', /2 hex digits are too few/)
    await field.fill(filled)
    await field.press('Enter')
    await waitForText(page, 'h1', /^Sold 1 WETH/)
    await close()
  })

  browserTest('a link without a network searches all and opens the one with the order', async () => {
    // another network that this stack does not serve responds like one without the order
    const addNetwork = async (route: Route) => {
      if (!route.request().headers().accept?.includes('json')) return route.continue()
      const response = await route.fetch()
      const index = (await response.json()) as { networks: object[] }
      await route.fulfill({
        response,
        json: {
          ...index,
          networks: [{ ...index.networks[0], name: 'gnosis', label: 'Gnosis Chain' }, ...index.networks],
        },
      })
    }
    const { page, close } = await open(`/orders/${filled}`, {
      expectedStatuses: [404],
      prepare: (blank) => blank.route(`${own.stack.info.baseUrl}/`, addNetwork),
    })
    await page.waitForURL(`**/orders/${filled}?network=sepolia`)
    await waitForText(page, '.chip', 'Filled')
    await page.goto(`${own.stack.info.baseUrl}/orders/${filled}?network=gnosis`)
    await page.getByRole('link', { name: 'Search the other networks' }).click()
    await page.waitForURL(`**/orders/${filled}?network=sepolia`)
    await close()
  })
})

describe('the page of an account', () => {
  beforeAll(async () => {
    if (!hasBrowser) return
    const database = connectDatabase(own.stack.info.databaseUrl)
    for (let seed = 1; seed <= busyOrders; seed += 1) {
      const changes = {
        owner: busyOwner,
        sellAmount: parseEther(String(seed)),
        appDataHash: pad(toHex(seed), { size: 32 }),
      }
      await insertOrder(database, newOrder(seed, { ...changes, fullAppData: null }))
    }
  })

  const listUids = (page: Page) =>
    page.locator('.order-row-terms > a').evaluateAll((all) => all.map((one) => one.getAttribute('title')))
  const uidsOf = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, i) => orderUidOf(from - i, busyOwner))
  const waitForPage = async (page: Page, uids: string[]) => {
    await page.locator(`.order-rows a[title="${uids[0]}"]`).waitFor()
    expect(await listUids(page)).toEqual(uids)
  }

  browserTest('pages by cursor, back and forward, with a link for each page', async () => {
    const { page, close } = await open(`/accounts/${busyOwner}?network=sepolia`)
    const pager = page.getByRole('navigation', { name: 'Pages of orders' })
    await waitForPage(page, uidsOf(60, 36))
    await pager.getByRole('link', { name: 'Older' }).click()
    await waitForPage(page, uidsOf(35, 11))
    const second = page.url()
    expect(new URL(second).searchParams.get('cursor')).toBe(orderUidOf(36, busyOwner))
    await pager.getByRole('link', { name: 'Older' }).click()
    await waitForPage(page, uidsOf(10, 1))
    await waitForText(page, '.pager', 'End of list')
    await page.goBack()
    await waitForPage(page, uidsOf(35, 11))
    await page.goForward()
    await waitForPage(page, uidsOf(10, 1))
    await pager.getByRole('link', { name: 'Newest' }).click()
    await waitForPage(page, uidsOf(60, 36))
    await page.goto(second)
    await waitForPage(page, uidsOf(35, 11))
    await close()
  })

  browserTest('a new order appears without a reload', async () => {
    const { page, close } = await open(`/accounts/${other.address}?network=sepolia`)
    await waitForText(page, '.panel', 'This account has no orders on Sepolia.')
    const uid = await postSignedOrder(own.stack.info, other.privateKey, {
      sellToken: weth(),
      buyToken: token('USDC'),
      sellAmount: parseEther('1'),
      buyAmount: parseUnits('4200', 6),
    })
    await page.locator(`.order-rows a[title="${uid}"]`).waitFor()
    await close()
  })
})

// these are last, since they wait for the end of the order's validity
browserTest('an order far from the market expires and shows why it was not filled', async () => {
  const { page, close } = await openOrder(expiring)
  await waitForText(page, 'h1', 'Sell 1 WETH → 4,000 USDC')
  await waitForText(page, '.order-head .chip.ended', 'Expired', Math.max(expiresAt * 1_000 - Date.now(), 0) + liveMs)
  await waitForText(page, '.diagnosis', 'Not filled')
  await waitForText(
    page,
    '.diagnosis',
    /unfilled, because of its limit of 4,000 USDC per WETH, [\d.]+\s% better than the market's [23],\d{3}[\d.]* USDC per WETH\./,
  )
  await waitForText(page, '.diagnosis', /Distance to (it|the market)/)
  await waitForText(page, '.timeline-list', 'Expired')
  await expectAccessible(page)
  await close()
})

browserTest('the expiry appears on a page that was opened before it was logged', async () => {
  await own.book.waitFor(expiring, ({ status }) => status === 'expired')
  let isLogged = false
  const { page, close } = await openOrder(expiring, {
    prepare: async (blank) => {
      // the page gives up minutes later, and the tests before this one may take as long
      await blank.clock.setFixedTime(expiresAt * 1_000 + 2_000)
      await blank.route('**/debug/order/**', async (route) => {
        const response = await route.fetch()
        const report = (await response.json()) as { events: { label: string }[] }
        const events = report.events.filter(({ label }) => isLogged || label !== 'expired')
        await route.fulfill({ response, json: { ...report, events } })
      })
      await blank.route('**/streams', () => undefined)
    },
  })
  await waitForText(page, '.order-head .chip.ended', 'Expired')
  await waitForText(page, '.timeline-list', 'Placed')
  expect(await page.locator('.timeline-list', { hasText: 'Expired' }).count()).toBe(0)
  isLogged = true
  await waitForText(page, '.timeline-list', 'Expired')
  await close()
})
