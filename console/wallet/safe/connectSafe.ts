/** A request to the Safe whose application frames this page. @throws Error with the Safe's message */
export type RequestSafe = (method: string, params?: unknown) => Promise<unknown>

type Response = { id?: unknown; success?: unknown; data?: unknown; error?: unknown }

/** Version of `@safe-global/safe-apps-sdk` whose messages these are. */
const sdkVersion = '9.1.0'

/**
 * Opens the messages between a Safe app and the window that frames it. A window that is no Safe never responds.
 * Messages carry nothing secret, and the policy of the page decides who may frame it, so any origin receives them.
 */
export const connectSafe = (): RequestSafe => {
  const pending = new Map<string, (response: Response) => void>()
  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || typeof data !== 'object' || data === null) return
    const response = data as Response
    const id = String(response.id)
    pending.get(id)?.(response)
    pending.delete(id)
  })
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = crypto.randomUUID()
      pending.set(id, ({ success, data, error }) => {
        if (success === true) resolve(data)
        else reject(new Error(typeof error === 'string' ? error : ''))
      })
      window.parent.postMessage({ id, method, params, env: { sdkVersion } }, '*')
    })
}
