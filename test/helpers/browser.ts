import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '#tools/browser/launchBrowser.ts'

export { hasBrowser, launchBrowser }

/** A test that a machine without Chromium goes without. */
export const browserTest = test.skipIf(!hasBrowser)

export type ConsoleOptions = {
  /** CSS pixels; 1280 when not given */
  width?: number
  dark?: boolean
  /** of answers that are part of the test: a 404 of an order that nobody has, say; others from 400 on are complaints */
  expectedStatuses?: number[]
  /** of complaints that are part of the test: what cannot be reached, say */
  expected?: RegExp
}

/** A page of the console, which is watched as long as it is open. */
export type ConsolePage = {
  page: Page
  /** its context, for what belongs to the browser: permissions, more pages */
  context: BrowserContext
  /** everything that went wrong by now */
  complaints: string[]
  /** @throws Error with the complaints when there are any */
  check: () => void
  /** Checks and closes. */
  close: () => Promise<void>
}

const height = 900

/**
 * Opens a page of the console in a context of its own, and collects what no page may do: log an error or a warning (what the
 * Content-Security-Policy refuses is one), throw, fail to load something, ask another origin.
 * @param path with the query: `/status?network=sepolia`
 */
export const openConsole = async (
  browser: Browser,
  baseUrl: string,
  path: string,
  { width = 1_280, dark = false, expectedStatuses = [], expected }: ConsoleOptions = {},
): Promise<ConsolePage> => {
  const colorScheme = dark ? 'dark' : 'light'
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  const complaints: string[] = []
  watch(page, new URL(baseUrl).origin, expectedStatuses, (complaint) => {
    if (!expected?.test(complaint)) complaints.push(complaint)
  })
  const check = () => {
    if (complaints.length > 0) throw new Error(`${page.url()} complains:\n${complaints.join('\n')}`)
  }
  await page.goto(baseUrl + path)
  await page.locator('#main > *').first().waitFor()
  return {
    page,
    context,
    complaints,
    check,
    close: async () => {
      await context.close()
      check()
    },
  }
}

const watch = (page: Page, origin: string, expectedStatuses: number[], complain: (complaint: string) => void): void => {
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    // what follows an answer or a failure is told below, with its URL
    if (isComplaint && !message.text().startsWith('Failed to load resource')) complain(message.text())
  })
  page.on('pageerror', ({ message }) => complain(`uncaught: ${message}`))
  page.on('response', (response) => {
    const status = response.status()
    if (status < 400 || expectedStatuses.includes(status)) return
    complain(`${response.request().method()} ${response.url()} is answered ${status}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // the browser connects again by itself
    const isBrokenStream = request.resourceType() === 'eventsource' && reason === 'net::ERR_INCOMPLETE_CHUNKED_ENCODING'
    // a page that no longer wants an answer, a stream that it closes
    if (reason === 'net::ERR_ABORTED' || isBrokenStream) return
    complain(`${request.method()} ${request.url()} fails: ${reason}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && url.origin !== origin) complain(`asks another origin: ${url}`)
  })
  page.on('websocket', (socket) => complain(`opens a WebSocket: ${socket.url()}`))
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let axeSource: Promise<string> | undefined

/** Expects that axe-core finds nothing that makes the page hard or impossible to use for somebody. */
export const expectAccessible = async (page: Page): Promise<void> => {
  axeSource ??= readFile(axeFile, 'utf8')
  // As a debugger evaluates it: a script element would be against the policy that is tested with the page.
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: await axeSource })
  await session.detach()
  const { violations } = await page.evaluate<AxeResults>(`axe.run({ resultTypes: ['violations'] })`)
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${impact}: ${id} (${help})\n  ${html}\n  ${failureSummary}`),
    )
  expect(serious, serious.join('\n')).toEqual([])
}

/** What reaches past the right edge although nothing around it scrolls or cuts it. */
const findWideElements = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  const isCut = (element) => element !== null &&
    (getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement))
  return [...document.body.querySelectorAll('*')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5 && !isCut(element.parentElement))
    .map((element) => element.outerHTML.slice(0, 120))
    .concat('the page is ' + scrollWidth + ' pixels wide, the window ' + clientWidth)
})()`

/** Expects that nobody has to scroll the page sideways to read it. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const wide = await page.evaluate<string[]>(findWideElements)
  expect(wide, wide.join('\n')).toEqual([])
}
