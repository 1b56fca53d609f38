import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import {
  browserTest,
  expectAccessible,
  expectNoSidewaysScroll,
  hasBrowser,
  openConsole,
} from '../helpers/console/browser.ts'
import { closePages, useBrowser } from '../helpers/console/sharedBrowser.ts'

/** Pages by path, all under the console's policy. */
const pages: Record<string, string> = {
  '/good': '<p>Text</p><label>Amount <input></label>',
  '/styled': '<p style="color: red">Text</p>',
  '/script': '<p>Text</p><script>document.title = "inline"</script>',
  '/broken': '<p>Text</p><script src="/throws.js"></script>',
  '/missing': '<p>Text</p><img src="/nothing.png" alt="">',
  '/foreign': '<p>Text</p><script src="/asks.js"></script>',
  '/unlabelled': '<p>Text</p><input>',
  '/pale': '<p>Text</p><font color="#eeeeee" size="3">hardly to be read</font>',
  '/wide': '<p>Text</p><table width="900"><tr><td>wide</td></tr></table>',
}
const scripts: Record<string, string> = {
  '/throws.js': 'throw new Error("broken")',
  '/asks.js': 'fetch("https://elsewhere.invalid/").catch(() => undefined)',
}
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'"
const head =
  '<!doctype html><html lang="en"><head><title>A page</title><meta name="viewport" content="width=device-width">'

let server: Server
let baseUrl: string
let browser: Browser

beforeAll(async () => {
  if (!hasBrowser) return
  server = createServer(({ url = '' }, response) => {
    const [page, script] = [pages[url], scripts[url]]
    const type = page ? 'text/html' : 'text/javascript'
    const isIcon = url === '/favicon.ico'
    response.writeHead(page || script || isIcon ? 200 : 404, {
      'Content-Type': type,
      'Content-Security-Policy': policy,
    })
    response.end(page ? `${head}</head><body><main id="main"><h1>A page</h1>${page}</main></body></html>` : script)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await useBrowser()
})
afterAll(async () => {
  await closePages(browser)
  server?.close()
})

const open = (path: string) => openConsole(browser, baseUrl, path, { width: 360 })

browserTest.each([
  ['/styled', /style/i],
  ['/script', /script/i],
  ['/broken', /uncaught: broken/],
  ['/missing', /nothing\.png returned 404/],
  ['/foreign', /elsewhere\.invalid/],
])('reports %s', async (path, complaint) => {
  const { complaints, close } = await open(path)
  await expect.poll(() => complaints.join('\n'), { timeout: 30_000 }).toMatch(complaint)
  await expect(close()).rejects.toThrow(complaint)
})

browserTest.each([
  ['/unlabelled', /critical: label/],
  ['/pale', /serious: color-contrast/],
])('reports accessibility violations of %s', async (path, violation) => {
  const { page, close } = await open(path)
  await expect(expectAccessible(page)).rejects.toThrow(violation)
  await close()
})

browserTest('finds an element wider than the window', async () => {
  const { page, close } = await open('/wide')
  await expect(expectNoSidewaysScroll(page)).rejects.toThrow(/<table/)
  await close()
})
