/** Push services of Chromium browsers, Firefox, Edge and Safari; a leading dot means all subdomains. */
const services = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '.push.services.mozilla.com',
  '.notify.windows.com',
  '.push.apple.com',
]

/**
 * Whether a host is the push service of a browser. Push endpoints cannot prove consent by a challenge as webhooks do, so other
 * hosts are not accepted: a client could direct requests to a third party.
 * @param hostname in lower case
 */
export const isPushService = (hostname: string): boolean =>
  services.some((service) => (service.startsWith('.') ? hostname.endsWith(service) : hostname === service))
