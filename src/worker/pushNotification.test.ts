import { describe, expect, it } from 'vitest'
import type { PushTexts } from '~/src/store/pushExchange'
import { toNotification } from './pushNotification'

const known: PushTexts = {
  locale: 'es',
  dir: 'ltr',
  texts: {
    push_task_title: 'Nuevo pedido',
    push_task_msg: 'Un pedido de {{carType}} le espera.',
    push_paid_title: 'Pagado',
    push_paid_msg: 'Se pagaron {{amount}}.',
    push_fee_msg: 'Vuelven {{amount}}, menos {{fee}}.',
    push_cancelled_title: 'Cancelado',
    push_cancelled_msg: 'Motivo: {{reason}}',
    reason_no_show: 'No apareció',
    carType_Van: 'Furgoneta',
    notify_accept: 'Aceptar',
    notify_decline: 'Rechazar',
  },
  paths: { DriverTrips: '/trips', BookedCab: '/bookings/:id', Wallet: '/wallet' },
  money: { locale: 'es', symbol: '$U', symbolAfter: false, decimal: 2 },
}
const task = {
  title: 'push_task_title',
  msg: 'push_task_msg',
  carType: 'Van',
  screen: 'DriverTrips',
  booking_id: 'b1',
}

describe('the notification of a push', () => {
  it('of a request is in the driver’s language, with accept and decline', () => {
    const { title, options } = toNotification(task, known, 'kerbside.test')
    expect(title).toBe('Nuevo pedido')
    expect(options).toMatchObject({
      body: 'Un pedido de Furgoneta le espera.',
      lang: 'es',
      requireInteraction: true,
      data: { to: '/trips?booking=b1', booking_id: 'b1' },
      actions: [
        { action: 'accept', title: 'Aceptar' },
        { action: 'decline', title: 'Rechazar' },
      ],
    })
  })
  it('of a booking opens it, and has no buttons', () => {
    const { options } = toNotification({ screen: 'BookedCab', booking_id: 'b1' }, known, 'site')
    expect(options.data.to).toBe('/bookings/b1')
    expect(options.actions).toBeUndefined()
    expect(options.requireInteraction).toBeUndefined()
  })
  it('shows amounts as money and reasons in words', () => {
    const paid = { title: 'push_paid_title', msg: 'push_paid_msg', amount: '12.5' }
    expect(toNotification(paid, known, 'site').options.body).toBe('Se pagaron $U 12,50.')
    const fee = { msg: 'push_fee_msg', amount: '40', fee: '15' }
    expect(toNotification(fee, known, 'site').options.body).toBe(
      'Vuelven $U 40,00, menos $U 15,00.',
    )
    const cancelled = {
      title: 'push_cancelled_title',
      msg: 'push_cancelled_msg',
      reason: 'no_show',
    }
    expect(toNotification(cancelled, known, 'site').options.body).toBe('Motivo: No apareció')
  })
  it('keeps the words of a person, and isolates them in right-to-left text', () => {
    const reason = { title: 'Hola (1)', msg: 'push_cancelled_msg', reason: 'Lluvia {{amount}}' }
    const { title, options } = toNotification(reason, { ...known, dir: 'rtl' }, 'site')
    expect(title).toBe('Hola (1)')
    expect(options.body).toBe('Motivo: \u2068Lluvia {{amount}}\u2069')
  })
  it('names the site when the device has no texts, and opens the home page', () => {
    const { title, options } = toNotification(task, null, 'kerbside.test')
    expect(title).toBe('kerbside.test')
    expect(options.body).toBe('')
    expect(options.data.to).toBe('/?booking=b1')
  })
})
