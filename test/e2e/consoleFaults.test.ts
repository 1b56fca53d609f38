import type { Locator, Page, Request } from 'playwright-core'
import { parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import { browserTest, type ConsoleOptions, expectAccessible, hasBrowser } from '../helpers/console/browser.ts'
import { createWallet, rejection } from '../helpers/console/createWallet.ts'
import { readDesk } from '../helpers/console/readDesk.ts'
import { setUpConsole } from '../helpers/console/setUpConsole.ts'
import { startFaultyProxy } from '../helpers/http/faultyProxy.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { patientQuotes, startBareTestStack } from '../helpers/stack/testStack.ts'

/** Milliseconds in which a forbidden action of the page would have happened. */
const quietMs = 500

const own = setUpConsole(() => startBareTestStack({ vars: { quotes: patientQuotes } }))
const { token, account } = own

beforeAll(async () => {
  if (hasBrowser) await connectTrader(own.stack.info, account(0).privateKey).approveRelayer(token('WETH'))
})

const toTrade = (query = ''): string => `/?network=sepolia${query}`
const toOrder = (uid: string): string => `/orders/${uid}?network=sepolia`
const open = (query = '', options: ConsoleOptions = {}) => own.open(toTrade(query), options)

let posted = 0
/** An order of the first account far from the market, different on each call. */
const postOpen = (): Promise<string> => {
  posted += 1
  return postSignedOrder(own.stack.info, account(0).privateKey, {
    sellToken: token('WETH'),
    buyToken: token('USDC'),
    sellAmount: parseEther('0.01'),
    buyAmount: parseUnits('4000', 6) + BigInt(posted),
  })
}

const cancel = (uid: string) => own.book.cancel(uid, account(0).privateKey)

/** The trade page with a wallet that has the key of an account. */
const openWithWallet = async (index: number, query = '', options: ConsoleOptions = {}) => {
  const wallet = createWallet(own.stack.info, account(index).privateKey)
  const opened = await open(query, { ...options, prepare: wallet.install })
  return { ...opened, desk: readDesk(opened.page), wallet }
}

/** Later order bodies that the page posts. */
const watchPosted = (page: Page): string[] => {
  const bodies: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/v1/orders')) bodies.push(request.postData() ?? '')
  })
  return bodies
}

const follow = async (page: Page, name: 'Trade' | 'Status'): Promise<void> => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()
  await page.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) }).waitFor()
}

describe('blocked site data', () => {
  browserTest('keeps the state until the page is reloaded', async () => {
    const blocked = `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get() { throw new DOMException('Access is denied for this document.', 'SecurityError') },
      })`
    const { page, close } = await open('', { prepare: (blank) => blank.addInitScript(blocked) })
    const desk = readDesk(page)
    const colours = page.getByRole('combobox', { name: 'Colours' })
    await colours.selectOption('dark')
    // set after the next frame
    const readScheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
    await expect.poll(readScheme, { timeout: patienceMs }).toBe('dark')
    await desk.connect(/Local account 1/)
    await follow(page, 'Status')
    await follow(page, 'Trade')
    await desk.account(account(1).address).waitFor()
    expect(await colours.inputValue()).toBe('dark')
    await desk.sellAmount.fill('1')
    await desk.approve('WETH', 'Swap 1 WETH')
    await page.reload()
    await desk.openWallets()
    expect(await colours.inputValue()).toBe('system')
    await close()
  })
})

describe('a wallet', () => {
  browserTest('that does not respond leaves the choice of others, and a late response is ignored', async () => {
    const { page, desk, wallet, close } = await openWithWallet(3)
    const release = wallet.hold('eth_requestAccounts')
    await desk.openWallets()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: wallet.name }).click()
    await dialog.getByRole('status').getByText('Waiting for your wallet.').waitFor()
    expect(await dialog.getByRole('button', { name: /Local account 1/ }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await desk.connect(/Local account 1/)
    release()
    await page.waitForTimeout(quietMs)
    await desk.account(account(1).address).waitFor()

    // the last wallet reconnects while another one is chosen
    await desk.disconnect()
    await desk.connect(wallet.name)
    const comeBack = wallet.hold('eth_accounts')
    await page.reload()
    await desk.connect(/Local account 1/)
    comeBack()
    await page.waitForTimeout(quietMs)
    await desk.account(account(1).address).waitFor()
    await close()
  })

  browserTest('that rejects is requested again by the user: connection, approval, order, cancellation', async () => {
    const terms = `&sell=${token('DAI')}&buy=${token('WETH')}&amount=20&type=limit&price=0.01`
    const { page, desk, wallet, close } = await openWithWallet(3, terms)
    const refuse = (method: string) => {
      wallet.answers[method] = () => Promise.reject(rejection)
    }
    const rejected = 'You rejected the request in your wallet. Nothing was signed or sent.'
    refuse('eth_requestAccounts')
    await desk.openWallets()
    await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click()
    await page.getByRole('dialog').getByRole('alert').getByText(rejected).waitFor()
    delete wallet.answers.eth_requestAccounts
    await page.getByRole('dialog').getByRole('button', { name: wallet.name }).click()
    await desk.account().waitFor()

    const sign = 'Limit sell 20 DAI'
    for (const [method, button] of [
      ['eth_sendTransaction', 'Approve DAI'],
      ['eth_signTypedData_v4', sign],
    ] as const) {
      refuse(method)
      await desk.button(button).click()
      await desk.seeAlert(rejected)
      delete wallet.answers[method]
      await desk.button(button).click()
    }
    await desk.seeStatus('Open')
    refuse('eth_signTypedData_v4')
    await desk.button('Cancel order').click()
    await desk.panel('Your order').getByRole('alert').getByText(rejected).waitFor()
    await expectAccessible(page)
    delete wallet.answers.eth_signTypedData_v4
    await desk.button('Cancel order').click()
    await desk.seeStatus('Cancelled')
    await close()
  })

  browserTest('receives one request for two clicks, and abandoned signatures are not sent', async () => {
    const terms = `&sell=${token('COW')}&buy=${token('WETH')}&amount=10&type=limit&price=0.01`
    const { page, desk, wallet, close } = await openWithWallet(3, terms)
    const bodies = watchPosted(page)
    const countAsked = (method: string) => wallet.asked.filter((asked) => asked === method).length
    await desk.connect(wallet.name)
    const approve = wallet.hold('eth_sendTransaction')
    await desk.button('Approve COW').dblclick()
    await desk.button('Confirm in your wallet …').waitFor()
    expect(countAsked('eth_sendTransaction')).toBe(1)
    approve()
    const sign = wallet.hold('eth_signTypedData_v4')
    await desk.button('Limit sell 10 COW').dblclick()
    await desk.button('Sign in your wallet …').waitFor()
    expect(countAsked('eth_signTypedData_v4')).toBe(1)
    await desk.button('Stop waiting').click()
    await desk.sellAmount.fill('9')
    await desk.button('Limit sell 9 COW').click()
    await desk.button('Sign in your wallet …').waitFor()
    // now the wallet has both
    sign()
    await desk.seeStatus('Open')
    await page.waitForTimeout(quietMs)
    expect(bodies.map((body) => JSON.parse(body).sellAmount)).toEqual([String(parseEther('9'))])
    await close()
  })

  browserTest('that approves while another token is shown does not change that token', async () => {
    const terms = `&sell=${token('WETH')}&buy=${token('USDC')}&amount=1`
    const { page, desk, wallet, close } = await openWithWallet(2, terms)
    await desk.connect(wallet.name)
    const approve = wallet.hold('eth_sendTransaction')
    await desk.button('Approve WETH').click()
    await desk.button('Confirm in your wallet …').waitFor()
    await desk.pick('Token to sell', 'DAI')
    await desk.sellAmount.fill('30')
    await desk.button('Approve DAI').waitFor()
    approve()
    await page.waitForTimeout(quietMs)
    expect(await desk.button('Approve DAI').isEnabled()).toBe(true)
    await desk.pick('Token to sell', 'WETH')
    await desk.sellAmount.fill('1')
    await desk.button('Swap 1 WETH').waitFor()
    await close()
  })

  browserTest('that signs a cancellation after the page is left cancels the order without a redirect', async () => {
    const uid = await postOpen()
    const { page, desk, wallet, close } = await openWithWallet(0, `&order=${uid}`)
    await desk.connect(wallet.name)
    const sign = wallet.hold('eth_signTypedData_v4')
    await desk.button('Cancel order').click()
    await desk.button('Sign in your wallet …').waitFor()
    await follow(page, 'Status')
    sign()
    await own.book.waitFor(uid, ({ status }) => status === 'cancelled')
    expect(new URL(page.url()).pathname).toBe('/status')
    await close()
  })

  browserTest('is found, switched to the right network, and reconnected after a reload', async () => {
    const terms = `&sell=${token('USDC')}&buy=${token('WETH')}&amount=300`
    const { page, desk, wallet, close } = await openWithWallet(3, terms)
    let chainId = '0x1'
    wallet.answers.eth_chainId = () => chainId
    wallet.answers.wallet_switchEthereumChain = () => Promise.reject({ code: 4902, message: 'Unrecognized chain ID' })
    await desk.connect(wallet.name)
    await desk.button('Switch to Sepolia').first().click()
    await page.getByText('Your wallet does not know Sepolia. Add the network with the chain id 11155111').waitFor()
    wallet.answers.wallet_switchEthereumChain = ([asked]) => {
      chainId = (asked as { chainId: string }).chainId
      return Promise.resolve(null)
    }
    await desk.button('Switch to Sepolia').first().click()
    await desk.button('Approve USDC').click()
    const uid = await desk.place('Swap 300 USDC')
    await desk.seeStatus('Filled')
    const { address } = privateKeyToAccount(account(3).privateKey)
    expect(await own.book.get(`/orders/${uid}`)).toMatchObject({ owner: address.toLowerCase(), status: 'fulfilled' })

    // the same wallet and order, without a permission prompt
    wallet.asked.length = 0
    await page.reload()
    await desk.account().waitFor()
    await desk.seeStatus('Filled')
    expect(wallet.asked).not.toContain('eth_requestAccounts')
    const other = account(1).address
    await wallet.emit('accountsChanged', [other])
    await desk.account(other).waitFor()
    await desk.disconnect()
    await close()
  })

  browserTest(
    'is for the displayed terms and the requested account, and does not redirect from a later page',
    async () => {
      const { address } = account(3)
      const terms = `&sell=${token('USDC')}&buy=${token('WETH')}&amount=10&type=limit&price=0.001`
      const { page, desk, wallet, close } = await openWithWallet(3, terms)
      const bodies = watchPosted(page)
      await desk.connect(wallet.name)
      const sell = 'Limit sell 10 USDC'
      await desk.approve('USDC', sell)
      let sign = wallet.hold('eth_signTypedData_v4')
      await desk.button(sell).click()
      await desk.button('Sign in your wallet …').waitFor()
      expect(await desk.sellAmount.isDisabled()).toBe(true)
      // the signed terms stay visible even when the page's terms change
      await page.evaluate(`{
      history.replaceState(null, '', location.href.replace('amount=10', 'amount=20'))
      dispatchEvent(new PopStateEvent('popstate'))
    }`)
      await expect.poll(() => desk.sellAmount.inputValue(), { timeout: patienceMs }).toBe('20')
      await desk.panel('Order to sign').getByText('You sell exactly 10 USDC.').waitFor()

      await wallet.emit('accountsChanged', [account(1).address])
      await desk.seeAlert('The account changed while the wallet was open.')
      sign()
      await wallet.emit('accountsChanged', [address])
      await desk.sellAmount.fill('10')
      sign = wallet.hold('eth_signTypedData_v4')
      await desk.button(sell).click()
      await desk.button('Sign in your wallet …').waitFor()
      expect(bodies).toEqual([])

      await follow(page, 'Status')
      const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/orders'))
      sign()
      expect((await answered).status()).toBe(201)
      await page.waitForTimeout(quietMs)
      expect(new URL(page.url()).pathname).toBe('/status')
      const [newest] = await own.book.get<object[]>(`/account/${address}/orders`)
      expect(newest).toMatchObject({ sellAmount: '10000000', status: 'open' })
      await close()
    },
  )
})

describe('a signed order', () => {
  browserTest('is sent again when its response is lost, and is stored once', async () => {
    const { page, close } = await open('', { expectedStatuses: [400] })
    const desk = readDesk(page)
    let isFirst = true
    await page.route('**/api/v1/orders', async (route) => {
      if (!isFirst) return route.continue()
      isFirst = false
      await route.fetch()
      await route.abort('aborted')
    })
    await desk.connect(/Local account 1/)
    await desk.pick('Token to sell', 'DAI')
    await desk.sellAmount.fill('30')
    await desk.button('Approve DAI').click()
    await desk.button('Swap 30 DAI').click()
    await desk.button('Send the signed order again').click()
    await desk.seeStatus('Filled')
    const orders = await own.book.get<{ sellToken: string }[]>(`/account/${account(1).address}/orders`)
    expect(orders.filter(({ sellToken }) => sellToken === token('DAI'))).toHaveLength(1)
    await close()
  })

  browserTest('is sent again after a 429, and signed once', async () => {
    const terms = `&sell=${token('WETH')}&buy=${token('USDC')}&amount=0.02&type=limit&price=4000`
    const { page, desk, wallet, close } = await openWithWallet(0, terms, { expectedStatuses: [429] })
    let refusals = 2
    await page.route('**/api/v1/orders', (route) => {
      if (refusals === 0) return route.continue()
      refusals -= 1
      const json = { errorType: 'RateLimited', description: 'too many requests' }
      return route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json })
    })
    await desk.connect(wallet.name)
    await desk.button('Limit sell 0.02 WETH').click()
    await desk.seeAlert(/^Rate limited/)
    await page.getByText('The order book was busy; send it again in a moment.').waitFor()
    await desk.button('Send the signed order again').click()
    await desk.button('Send the signed order again').click()
    await desk.seeStatus('Open')
    expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
    await close()
  })
})

describe('a stream', () => {
  const refused = { status: 429, json: { errorType: 'RateLimited', description: 'too many streams' } }

  browserTest('of an order that is refused is reopened, and the order is polled meanwhile', async () => {
    const uid = await postOpen()
    let isRefused = true
    const { page, close } = await open(`&order=${uid}`, {
      expectedStatuses: [429],
      prepare: (blank) => blank.route('**/streams', (route) => (isRefused ? route.fulfill(refused) : route.continue())),
    })
    const desk = readDesk(page)
    await desk.panel('Your order').getByText('the order is updated every 10 seconds.').waitFor()
    await expectAccessible(page)
    await cancel(uid)
    await desk.seeStatus('Cancelled')

    const next = await postOpen()
    await page.goto(own.stack.info.baseUrl + toOrder(next))
    await page.getByText('Not live: updated every 10 seconds').waitFor()
    isRefused = false
    await page.getByText('Live', { exact: true }).waitFor()
    await close()
  })

  browserTest('of balances that is refused leaves them unknown until it opens', async () => {
    const { page, close } = await open('', { expectedStatuses: [429] })
    const desk = readDesk(page)
    const answered = Promise.withResolvers<void>()
    await page.route('**/streams', async (route) => {
      await answered.promise
      await route.fulfill(refused)
    })
    await desk.connect(/Local account 0/)
    await desk.sellAmount.fill('1')
    await desk.button('Reading your balances …').waitFor()
    answered.resolve()
    await page.getByText('Balance unavailable').first().waitFor()
    // the order book decides
    await desk.button('Swap 1 WETH').waitFor()
    await page.unroute('**/streams')
    await page
      .getByText(/^Balance [\d.]+$/)
      .first()
      .waitFor()
    expect(await page.getByText('Balance unavailable').count()).toBe(0)
    await close()
  })

  browserTest.each(['position', 'reset'])(
    'of an account that begins with %s shows what happened before, without another event',
    async (name) => {
      let posted = Promise.withResolvers<void>()
      let isSent = false
      const { page, close } = await open('', {
        prepare: (blank) =>
          blank.route('**/streams', async (route) => {
            const { paths } = route.request().postDataJSON() as { paths: string[] }
            const path = paths.find((given) => given.includes('/account/'))
            // the page reconnects when it ends
            if (path === undefined || isSent) return
            await posted.promise
            isSent = true
            const body = `data: ${JSON.stringify({ path, event: name, data: {} })}\n\n`
            await route.fulfill({ contentType: 'text/event-stream', body })
          }),
      })
      const desk = readDesk(page)
      const seeLate = async (list: Locator): Promise<void> => {
        await list.getByRole('listitem').first().waitFor()
        const uid = await postOpen()
        posted.resolve()
        await list.locator(`a[href*="${uid}"]`).first().waitFor()
      }
      await postOpen()
      await desk.connect(/Local account 0/)
      await seeLate(desk.panel('Your orders'))
      posted = Promise.withResolvers()
      isSent = false
      await page.goto(`${own.stack.info.baseUrl}/accounts/${account(0).address}?network=sepolia`)
      await seeLate(page.getByRole('tabpanel').first())
      await close()
    },
  )

  browserTest('that is interrupted reconnects with the missed events', async () => {
    const uid = await postOpen()
    const proxy = await startFaultyProxy(Number(new URL(own.stack.info.baseUrl).port))
    const baseUrl = `http://127.0.0.1:${proxy.port}`
    const { page, close } = await own.open(toOrder(uid), {
      baseUrl,
      // a response that has begun fails by its missing end
      expected: /fails: net::ERR_(EMPTY|CONNECTION|SOCKET|INCOMPLETE_CHUNKED|CONTENT_LENGTH)/,
    })
    await page.getByText('Live', { exact: true }).waitFor()
    await page.locator('.timeline-list').waitFor()
    proxy.set('cut')
    await page.getByText('Connecting …').waitFor()
    await cancel(uid)
    proxy.set('open')
    await page.locator('.chip', { hasText: 'Cancelled' }).first().waitFor()
    await page.locator('.timeline-list').getByText('Cancelled', { exact: true }).waitFor()
    await close()
    await proxy.close()
  })
})

describe('tabs of one browser', () => {
  browserTest('stay live together with at most one stream, also after the tab that holds it is closed', async () => {
    const uid = await postOpen()
    const first = await open(`&order=${uid}`)
    const context = first.page.context()
    const streams = new Map<Request, Page>()
    context.on('request', (request) => {
      if (request.url().endsWith('/streams')) streams.set(request, request.frame().page())
    })
    const countStreams = () => [...streams.values()].filter((page) => !page.isClosed()).length
    context.on('requestfinished', (request) => streams.delete(request))
    context.on('requestfailed', (request) => streams.delete(request))
    await readDesk(first.page).connect(/Local account 0/)
    const openTab = async (path: string): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(own.stack.info.baseUrl + path)
      return page
    }
    const trades = [first.page]
    for (let i = 0; i < 3; i += 1) trades.push(await openTab(toTrade(`&order=${uid}`)))
    const order = await openTab(toOrder(uid))
    const account0 = await openTab(`/accounts/${account(0).address}?network=sepolia`)
    for (const page of trades) await readDesk(page).seeStatus('Open')
    await order.getByText('Live', { exact: true }).waitFor()
    await account0.locator(`a[href*="${uid}"]`).first().waitFor()
    await expect.poll(countStreams, { timeout: patienceMs }).toBe(1)

    // the first tab holds the stream
    await first.close()
    await cancel(uid)
    for (const page of trades.slice(1)) await readDesk(page).seeStatus('Cancelled')
    await order.locator('.chip', { hasText: 'Cancelled' }).first().waitFor()
    await account0.locator('.chip', { hasText: 'Cancelled' }).first().waitFor()
    expect(countStreams()).toBe(1)
    for (const page of [...trades.slice(1), order, account0]) await page.close()
  })

  browserTest('show a message when a request has no response', async () => {
    const { page, close } = await open()
    await page.addInitScript('AbortSignal.timeout = () => AbortSignal.abort(new DOMException("", "TimeoutError"))')
    await page.reload()
    await page.getByRole('alert').getByText('The API did not respond in time.').first().waitFor()
    await close()
  })
})

describe('instead of a page that cannot be shown', () => {
  browserTest('an error with navigation away and back', async () => {
    const uid = await postOpen()
    const { page, close } = await own.open('/status?network=sepolia', { expected: /SyntaxError|Cannot convert/ })
    const path = `**/debug/order/${uid}`
    await page.route(path, async (route) => {
      const response = await route.fetch()
      const report = (await response.json()) as { order: object }
      await route.fulfill({ response, json: { ...report, order: { ...report.order, sellAmount: 'many' } } })
    })
    await page.getByRole('searchbox').fill(uid)
    await page.keyboard.press('Enter')
    const broken = page.getByRole('alert').getByText('This page cannot be displayed')
    await broken.waitFor()
    expect(await page.title()).toMatch(/^Something went wrong/)
    await expectAccessible(page)
    await follow(page, 'Status')
    await page.goBack()
    await broken.waitFor()
    await page.unroute(path)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.locator('.chip', { hasText: 'Open' }).waitFor()
    await close()
  })

  browserTest('a notice for an address that is not valid text', async () => {
    const { page, close } = await own.open('/orders/%E0%A4%A', { expected: /URIError|URI malformed/ })
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await follow(page, 'Status')
    await close()
  })

  browserTest('a reload button when its file fails to load', async () => {
    const { page, close } = await own.open('/status', { expected: /\/assets\/TradePage/ })
    await page.route('**/assets/TradePage-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Trade', exact: true }).click()
    await page.getByRole('alert').getByText('This page could not be loaded').waitFor()
    await page.unroute('**/assets/TradePage-*.js')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Trade on Sepolia' }).waitFor()
    await close()
  })

  browserTest('a notice without a connection, and the form as it was behind it', async () => {
    const { page, close } = await open(`&sell=${token('WETH')}&buy=${token('USDC')}`, {
      expected: /net::ERR_INTERNET_DISCONNECTED|Failed to fetch dynamically/,
    })
    const desk = readDesk(page)
    await desk.sellAmount.fill('1.25')
    await page.getByText(/^1 WETH = /).waitFor()
    // younger pages do not reload
    await page.evaluate('performance.now = () => 60_000')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Status', exact: true }).click()
    const notice = page.getByRole('alert')
    await notice.getByText('This page could not be loaded').waitFor()
    await notice.getByRole('button', { name: 'Try again' }).click()
    await notice.getByText('The service is still unreachable.').waitFor()
    await notice.getByRole('button', { name: 'Back' }).click()
    expect(await desk.sellAmount.inputValue()).toBe('1.25')
    await page.context().setOffline(false)
    await close()
  })

  browserTest('a retry when the list of networks is unavailable', async () => {
    const { page, close } = await own.open('/status', { expectedStatuses: [503] })
    let isDown = true
    await page.route(`${own.stack.info.baseUrl}/`, (route) => {
      const isQuestion = route.request().headers().accept?.includes('json') ?? false
      const json = { errorType: 'ServiceUnavailable', description: 'not now' }
      return isDown && isQuestion ? route.fulfill({ status: 503, json }) : route.continue()
    })
    await page.reload()
    await page.getByRole('alert').getByText('Service unavailable').waitFor()
    await expectAccessible(page)
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor()
    await close()
  })

  browserTest.each(['/?network=nope&amount=2', '/status?network=nope', `/orders/0x${'12'.repeat(56)}?network=nope`])(
    'of an unknown network, %s, links to the same page on known networks',
    async (path) => {
      const { page, close } = await own.open(path, { expectedStatuses: [404] })
      await page.getByRole('heading', { name: 'Unknown network' }).waitFor()
      await page.getByText('There is no network “nope” here.').waitFor()
      await expectAccessible(page)
      await page.getByRole('main').getByRole('link', { name: 'Sepolia' }).click()
      await page.waitForURL(`**${path.replace('nope', 'sepolia')}*`)
      expect(await page.getByText('Unknown network').count()).toBe(0)
      await close()
    },
  )
})
