import type { OperatorDetails } from '~/domain/messages/operator'
import { calculateIncludedTax, TAX_TEXT } from '~/domain/messages/operator'
import { getStopRows } from '~/domain/booking/stops/receiptStops'
import { getChargedFare, getPaymentRows } from '~/domain/payments/paymentStatement'
import { cleanWords } from '~/domain/language/words'
import { html, type SafeHtml } from '../../html'
import type { InlinePicture } from '../../ports/messages'
import { drawRoute, PICTURE_HEIGHT, PICTURE_WIDTH } from './routePicture'
import type { Speech } from './speech'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

interface Receipt {
  subject: string
  text: string
  html: string
  pictures?: readonly InlinePicture[]
}
type Row = readonly [label: string, value: string]

const PICTURE_NAME = 'route.png'

const renderRow = ([label, value]: Row): SafeHtml =>
  html`<tr>
    <td style="padding:4px 0;vertical-align:top">${label}</td>
    <td style="padding:4px 0 4px 16px;text-align:end">${value}</td>
  </tr>`

/** A booking may be older than the check of its texts. */
const clean = (words: string) => cleanWords(words, 'name')

/** The company that sends a receipt. */
interface Company {
  settings: Settings
  operator: OperatorDetails
}

const getFacts = (
  booking: Booking,
  { timezone }: Settings,
  { t, formatTime }: Speech,
  hasWords: boolean,
): Row[] => {
  const places: Row[] = [
    [t('pickup'), clean(booking.pickupAddress)],
    ...getStopRows(booking, t, clean),
    [t('drop'), clean(booking.dropAddress)],
  ]
  const driver: Row[] = [
    ...(booking.driver_name ? [[t('driver'), clean(booking.driver_name)] as const] : []),
    ...(booking.vehicle_number ? [[t('vehicle_no'), clean(booking.vehicle_number)] as const] : []),
  ]
  return [
    [t('booking_reference'), booking.reference],
    [t('trip_date'), formatTime(booking.startTime ?? booking.tripdate, timezone)],
    ...(hasWords ? places : []),
    [t('car_type'), booking.carType],
    ...(hasWords ? driver : []),
  ]
}

const getAmounts = (
  booking: Booking,
  { settings, operator }: Company,
  { t, formatMoney, formatTime }: Speech,
): Row[] => {
  const money = (amount: number) => formatMoney(amount, settings)
  const { lines, total } = getChargedFare(booking)
  const percent = operator.taxPercent ?? 0
  const tax = calculateIncludedTax(total, percent, settings.decimal)
  return [
    ...lines.map(({ label, amount }): Row => [t(label), money(amount)]),
    [t('total'), money(total)],
    ...(tax > 0 ? [[t(TAX_TEXT, { percent }), money(tax)] as const] : []),
    ...getPaymentRows(booking, settings, (key) => t(key)).map(
      ({ label, cause, at, amount }): Row => [
        [label, cause, at && formatTime(at, settings.timezone)].filter(Boolean).join(' · '),
        money(amount),
      ],
    ),
  ]
}

/** Returns the lines with the name, address, tax number and e-mail of the company. */
const getSender = ({ settings, operator }: Company): string[] =>
  [
    operator.operatorName || settings.CompanyName || settings.appName,
    ...(operator.address?.split('\n') ?? []),
    ...(operator.taxNumber ? [operator.taxNumber] : []),
    settings.contact_email,
  ].filter((line) => line.trim() !== '')

/**
 * Builds the receipt of a paid booking as plain text and as HTML, in the rider's language. Without
 * `hasWords` it has no words that the rider or the driver chose: no places, name and plate.
 */
export const buildReceipt = (
  booking: Booking,
  company: Company,
  speech: Speech,
  { hasWords = true }: { hasWords?: boolean } = {},
): Receipt => {
  const { t, locale, dir } = speech
  const { settings } = company
  const { reference } = booking
  const facts = getFacts(booking, settings, speech, hasWords)
  const amounts = getAmounts(booking, company, speech)
  const sender = getSender(company)
  const subject = `${settings.appName}: ${t('push_receipt_title', { reference })}`
  const thanks = t('push_receipt_msg')
  const toLines = (rows: readonly Row[]) => rows.map(([label, value]) => `${label}: ${value}`)
  const text = [[thanks], toLines(facts), toLines(amounts), sender]
    .map((block) => block.join('\n'))
    .join('\n\n')
  const picture = drawRoute(booking)
  const shownPicture = html`<img
    src="cid:${PICTURE_NAME}"
    alt="${t('route_planned')}"
    width="${PICTURE_WIDTH}"
    height="${PICTURE_HEIGHT}"
    style="display:block;width:100%;height:auto;border-radius:8px"
  />`
  const body = html`<!doctype html>
    <html lang="${locale}" dir="${dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${subject}</title>
      </head>
      <body style="font:16px/1.5 system-ui,sans-serif;margin:0;padding:16px">
        <div style="max-width:32rem;margin:0 auto;overflow-wrap:anywhere">
          <h1 style="font-size:20px">${t('receipt')}: ${reference}</h1>
          <p>${thanks}</p>
          ${picture ? [shownPicture] : []}
          <table role="presentation" style="width:100%;border-collapse:collapse">
            ${facts.map(renderRow)}
          </table>
          <hr />
          <table role="presentation" style="width:100%;border-collapse:collapse">
            ${amounts.map(renderRow)}
          </table>
          <hr />
          <p>${sender.map((line) => html`${line}<br />`)}</p>
        </div>
      </body>
    </html>`
  return {
    subject,
    text,
    html: body.safe,
    ...(picture && { pictures: [{ name: PICTURE_NAME, png: picture.toString('base64') }] }),
  }
}
