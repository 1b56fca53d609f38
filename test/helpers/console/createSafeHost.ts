import type { Page } from 'playwright-core'
import type { Address, Hex } from 'viem'
import type { TestSafe } from '../chain/safe.ts'
import { callNode } from './createWallet.ts'

/** Origin of the application of Safes, which may frame the console. */
export const safeOrigin = 'https://app.safe.global'

type Call = { to: Address; data: Hex; value: string }
type Request = { method: string; params: { txs: Call[]; call: string; params: unknown[] } }

const safeTxHash = `0x${'5a'.repeat(32)}`

/**
 * The side of the application of Safes, which frames a page and responds to its messages. Its owner confirms each
 * transaction at once.
 * @param framed URL of the page in the frame
 */
export const createSafeHost = (
  { safe, chainId, rpcUrl }: { safe: TestSafe; chainId: number; rpcUrl: string },
  framed: string,
) => {
  const batches: Call[][] = []
  const methods: Record<string, (params: Request['params']) => unknown> = {
    getSafeInfo: () => ({ safeAddress: safe.address, chainId, owners: [], threshold: 1, isReadOnly: false }),
    rpcCall: ({ call, params }) => callNode(rpcUrl, call, params),
    sendTransactions: async ({ txs }) => {
      batches.push(txs)
      for (const { to, data } of txs) await safe.call(to, data)
      return { safeTxHash }
    },
    getTxBySafeTxHash: () => ({ txStatus: 'SUCCESS' }),
  }
  const respond = async ({ method, params }: Request) => {
    try {
      if (!methods[method]) throw new Error(`unknown method ${method}`)
      return { success: true, data: await methods[method](params) }
    } catch (error) {
      return { success: false, error: (error as Error).message }
    }
  }
  return {
    /** calls of each transaction */
    batches,
    install: async (page: Page): Promise<void> => {
      // A page of the internet frames one of this machine. Browsers without this permission do not require it.
      const permissions = ['local-network-access']
      await page
        .context()
        .grantPermissions(permissions, { origin: safeOrigin })
        .catch(() => undefined)
      // the browser keeps stored data of a framed page apart from those of its origin: an earlier test may have left a wallet
      await page.addInitScript('if (window.parent !== window) localStorage.clear()')
      await page.exposeFunction('respondAsSafe', respond)
      await page.route(`${safeOrigin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: toHtml(framed) }))
    },
  }
}

const toHtml = (framed: string) => `<!doctype html>
<html lang="en">
<title>Safe</title>
<link rel="icon" href="data:," />
<script>
  addEventListener('message', async ({ source, data }) => {
    const response = await window.respondAsSafe(data)
    source.postMessage({ id: data.id, version: '9.1.0', ...response }, '*')
  })
</script>
<main id="main">
  <iframe title="Safe app" src="${framed.replaceAll('&', '&amp;')}" width="1200" height="800"></iframe>
</main>
</html>`
