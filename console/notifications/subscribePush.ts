import workerUrl from './pushWorker.ts?worker&url'

/** Target of a push subscription, as the API takes it. */
export type PushTarget = { endpoint: string; keys: { p256dh: string; auth: string } }

/**
 * Requests permission and subscribes this browser.
 * @param key public key of the service, base64url
 * @throws Error with a text for people
 */
export const subscribePush = async (key: string): Promise<PushTarget> => {
  if (!('serviceWorker' in navigator && 'PushManager' in window))
    throw new Error('This browser does not support push messages.')
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('This browser blocks messages of this site. Allow them in the settings of the site.')
  const registration = await navigator.serviceWorker.register(workerUrl)
  await waitUntilActive(registration)
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch((thrown: unknown) => {
      throw new Error(`The push service of this browser refused: ${(thrown as Error).message}`)
    })
  const { endpoint, keys } = subscription.toJSON()
  if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined)
    throw new Error('The push service of this browser returned no address.')
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }
}

/** A new registration takes subscriptions only once its worker is active. `ready` waits for one of the page's own path. */
const waitUntilActive = ({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = installing ?? waiting
    if (active || !worker) return resolve()
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve()
      if (worker.state === 'redundant') reject(new Error('This browser could not install the receiver of messages.'))
    })
  })
