import { setTimeout as sleep } from 'node:timers/promises'

/** The JavaScript heap of one Worker after a full collection, in bytes. */
export type Heap = {
  /** what is still referenced */
  live: number
  /** what the heap takes from the process, with free space in its pages */
  reserved: number
}

const replyTimeoutMs = 10_000
const wakeIntervalMs = 50

type Target = { id: string; webSocketDebuggerUrl: string }
type HeapUsage = { usedSize: number; totalSize: number }

/**
 * Collects the garbage of every Worker of a workerd and reads what is left, by the Chrome DevTools Protocol.
 * @param inspectorPort of the workerd
 * @param ports Worker → port that it answers at
 * @returns by name of the Worker
 * @throws Error naming the Worker that does not answer
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
      socket.onopen = () => resolve()
      socket.onerror = () => reject(new Error(`${name}: its inspector cannot be reached`))
    })
    const ask = askBy(socket, name)
    // An inspector keeps the last thousand lines of a Worker's log.
    await ask('Runtime.discardConsoleEntries')
    await ask('HeapProfiler.enable')
    // The second one takes what finalisers of the first let go.
    await whileAsked(baseUrl, ask('HeapProfiler.collectGarbage'))
    await whileAsked(baseUrl, ask('HeapProfiler.collectGarbage'))
    const { usedSize, totalSize } = (await ask('Runtime.getHeapUsage')) as HeapUsage
    return { live: usedSize, reserved: totalSize }
  } finally {
    socket.close()
  }
}

/** A collection waits until the Worker has something else to do. */
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
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result)
  }
  return async (method: string): Promise<unknown> => {
    last += 1
    const id = last
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise((resolve, reject) => {
        waiting.set(id, resolve)
        timer = setTimeout(
          () => reject(new Error(`${name}: no answer to ${method} after ${replyTimeoutMs} ms`)),
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
