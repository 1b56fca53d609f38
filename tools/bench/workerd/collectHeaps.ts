import { setTimeout as sleep } from 'node:timers/promises'

/** JavaScript heap of one Worker after a full collection, bytes. */
export type Heap = {
  /** what is still referenced */
  live: number
  /** heap pages taken from the process, free space included */
  reserved: number
}

const replyTimeoutMs = 10_000
const wakeIntervalMs = 50

type Target = { id: string; webSocketDebuggerUrl: string }
type HeapUsage = { usedSize: number; totalSize: number }

/**
 * Collects the garbage of every Worker of a workerd by the Chrome DevTools Protocol and reads the rest.
 * @param inspectorPort of the workerd
 * @param ports Worker → its port
 * @returns by name of the Worker
 * @throws Error naming the Worker that does not respond
 */
export const collectHeaps = async (
  inspectorPort: number,
  ports: Readonly<Record<string, number>>,
): Promise<Record<string, Heap>> => {
  const response = await fetch(`http://127.0.0.1:${inspectorPort}/json`)
  const heaps: Record<string, Heap> = {}
  for (const { id, webSocketDebuggerUrl } of (await response.json()) as Target[])
    heaps[id] = await collectHeap(id, webSocketDebuggerUrl, `http://127.0.0.1:${ports[id]}`)
  return heaps
}

const collectHeap = async (name: string, url: string, baseUrl: string): Promise<Heap> => {
  const socket = new WebSocket(url)
  try {
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => reject(new Error(`${name}: its inspector is unreachable`)))
    })
    const sendRequest = askBy(socket, name)
    // An inspector stores the last thousand log lines of a Worker.
    await sendRequest('Runtime.discardConsoleEntries')
    await sendRequest('HeapProfiler.enable')
    // The second collection removes what finalisers of the first released.
    await whileAsked(baseUrl, sendRequest('HeapProfiler.collectGarbage'))
    await whileAsked(baseUrl, sendRequest('HeapProfiler.collectGarbage'))
    const { usedSize, totalSize } = (await sendRequest('Runtime.getHeapUsage')) as HeapUsage
    return { live: usedSize, reserved: totalSize }
  } finally {
    socket.close()
  }
}

/** A collection waits until the Worker has another task. */
const whileAsked = async (baseUrl: string, collected: Promise<unknown>): Promise<void> => {
  let done = false
  const wake = async () => {
    while (!done) {
      await (await fetch(`${baseUrl}/`)).text()
      await sleep(wakeIntervalMs)
    }
  }
  const end = () => {
    done = true
  }
  await Promise.all([collected.finally(end), wake()])
}

const askBy = (socket: WebSocket, name: string) => {
  const waiting = new Map<number, (result: unknown) => void>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  })
  return async (method: string): Promise<unknown> => {
    last += 1
    const id = last
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, resolve)
        timer = setTimeout(
          () => reject(new Error(`${name}: no response to ${method} after ${replyTimeoutMs} ms`)),
          replyTimeoutMs,
        )
        socket.send(JSON.stringify({ id, method }))
      })
    } finally {
      clearTimeout(timer)
      waiting.delete(id)
    }
  }
}
