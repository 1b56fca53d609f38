import type { Browser, Page } from 'playwright-core'
import { expect, onTestFailed, test } from 'vitest'
import { findAxeViolations } from '#tools/browser/findAxeViolations.ts'
import { findWideElements } from '#tools/browser/findWideElements.ts'
import { hasBrowser } from '#tools/browser/launchBrowser.ts'
import { patienceMs } from '../patienceMs.ts'
import { takePage } from './sharedBrowser.ts'

export { hasBrowser }

/** A test that is skipped without Chromium. */
export const browserTest = test.skipIf(!hasBrowser)

export type ConsoleOptions = {
  /** CSS pixels; 1280 when omitted */
  width?: number
  dark?: boolean
  /** expected error responses, for example the 404 of an unknown order; others from 400 on are complaints */
  expectedStatuses?: number[]
  /** expected complaints, for example about an unreachable URL */
  expected?: RegExp
  /** what the page has from its first load on: a wallet, routes, scripts */
  prepare?: (page: Page) => Promise<unknown>
}

/** A page of the console, watched until it closes. */
export type ConsolePage = {
  page: Page
  /** all complaints so far */
  complaints: string[]
  /** @throws Error with the complaints, if any */
  check: () => void
  /** Checks and closes. */
  close: () => Promise<void>
}

const height = 900

/**
 * Opens a page of the console without stored data and collects what no page may do: log an error or a warning (including
 * refusals by the Content-Security-Policy), throw, fail to load something, request another origin.
 * @param path with query: `/status?network=sepolia`
 */
export const openConsole = async (
  browser: Browser,
  baseUrl: string,
  path: string,
  { width = 1_280, dark = false, expectedStatuses = [], expected, prepare }: ConsoleOptions = {},
): Promise<ConsolePage> => {
  const { origin } = new URL(baseUrl)
  const { page, release } = await takePage(browser, origin)
  page.setDefaultTimeout(patienceMs)
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' })
  const complaints: string[] = []
  watch(page, origin, expectedStatuses, (complaint) => {
    if (!expected?.test(complaint)) complaints.push(complaint)
  })
  const check = () => {
    if (complaints.length > 0) throw new Error(`${page.url()} complains:\n${complaints.join('\n')}`)
  }
  onTestFailed(async () => {
    if (!page.isClosed()) console.error(`${page.url()} shows:\n${await page.locator('body').ariaSnapshot()}`)
  })
  await prepare?.(page)
  await page.goto(baseUrl + path)
  await page.locator('#main > *').first().waitFor()
  return {
    page,
    complaints,
    check,
    close: async () => {
      // a handler that still waits for a response must not fail afterwards
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await release()
      check()
    },
  }
}

const watch = (page: Page, origin: string, expectedStatuses: number[], complain: (complaint: string) => void): void => {
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning'
    // responses and failures are reported below, with their URL
    if (isComplaint && !message.text().startsWith('Failed to load resource')) complain(message.text())
  })
  page.on('pageerror', ({ message }) => complain(`uncaught: ${message}`))
  page.on('response', (response) => {
    const status = response.status()
    if (status < 400 || expectedStatuses.includes(status)) return
    complain(`${response.request().method()} ${response.url()} returned ${status}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    // the page reconnects
    const isBrokenStream = request.url().endsWith('/streams') && reason === 'net::ERR_INCOMPLETE_CHUNKED_ENCODING'
    // the page cancelled a request or closed a stream
    if (reason === 'net::ERR_ABORTED' || isBrokenStream) return
    complain(`${request.method()} ${request.url()} fails: ${reason}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol !== 'data:' && url.origin !== origin) complain(`requests another origin: ${url}`)
  })
  page.on('websocket', (socket) => complain(`opens a WebSocket: ${socket.url()}`))
}

/** Expects no finding of axe-core. */
export const expectAccessible = async (page: Page): Promise<void> => {
  const serious = await findAxeViolations(page)
  expect(serious, serious.join('\n')).toEqual([])
}

/** Expects a page without horizontal scrolling. */
export const expectNoSidewaysScroll = async (page: Page): Promise<void> => {
  const wide = await findWideElements(page)
  expect(wide, wide.join('\n')).toEqual([])
}
