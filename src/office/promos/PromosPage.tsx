import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Promo } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { type PromoForm, promoForm } from '~/domain/forms/catalogue'
import { at } from '~/domain/paths'
import { editPromo, promos as livePromos } from '~/src/features/promos/promos'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { StatusChip, TextInput } from '~/src/ui/controls'
import { DateTime, useFormat } from '~/src/ui/format'
import { useMinute } from '~/src/ui/office/Ago'
import type { Column } from '~/src/ui/office/DataTable'
import { EditPanel } from '~/src/ui/office/EditPage'
import { DateField, NumberField, Section, SelectField, TextField } from '~/src/ui/office/fields'
import { ListPage } from '~/src/ui/office/ListPage'
import { useOpened } from '~/src/ui/office/tableState'
import { AuditTrail } from '../audit/AuditTrail'
import { clock } from '../clock'
import { useOffice } from '../useOffice'

const FIELDS = [
  'promo_name',
  'promo_description',
  'promo_discount_type',
  'promo_discount_value',
  'max_promo_discount_value',
  'min_order',
  'promo_validity',
  'promo_usage_limit',
] as const
const BLANK: Partial<PromoForm> = {
  promo_name: '',
  promo_description: '',
  promo_discount_type: 'percentage',
  max_promo_discount_value: 0,
  min_order: 0,
}

/** Discounts riders can use: how much, for whom it is worth it, how often and until when. */
export const PromosPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, allowed, may, say } = useOffice()
  const { promos, ...look } = useLive(livePromos)
  const { opened, open, close } = useOpened('edit')
  const now = useMinute()
  const promo = promos.find(({ id }) => id === opened)

  const columns = useMemo((): Column<Promo>[] => {
    return [
      {
        id: 'promo_name',
        title: t('promo_name'),
        sort: (p) => p.promo_name,
        cell: (p) => p.promo_name,
        main: true,
      },
      {
        id: 'promo_description',
        title: t('description'),
        sort: (p) => p.promo_description,
        cell: (p) => p.promo_description,
      },
      {
        id: 'discount',
        title: t('discount'),
        align: 'end',
        sort: (p) => p.promo_discount_value,
        cell: (p) =>
          p.promo_discount_type === 'flat'
            ? format.money(p.promo_discount_value)
            : `${format.number(p.promo_discount_value)} %`,
        main: true,
      },
      {
        id: 'max',
        title: t('max_discount'),
        align: 'end',
        sort: (p) => p.max_promo_discount_value,
        cell: (p) =>
          p.max_promo_discount_value > 0 ? format.money(p.max_promo_discount_value) : t('none'),
      },
      {
        id: 'min_order',
        title: t('min_order'),
        align: 'end',
        sort: (p) => p.min_order,
        cell: (p) => format.money(p.min_order),
      },
      {
        id: 'promo_validity',
        title: t('valid_until'),
        sort: (p) => p.promo_validity,
        text: (p) => new Date(p.promo_validity).toISOString(),
        cell: (p) =>
          p.promo_validity < now ? (
            <StatusChip tone="muted">{t('expired')}</StatusChip>
          ) : (
            <DateTime at={p.promo_validity} only="date" />
          ),
        main: true,
      },
      {
        id: 'used',
        title: t('promo_used'),
        align: 'end',
        sort: (p) => p.user_avail ?? 0,
        cell: (p) => `${p.user_avail ?? 0} / ${p.promo_usage_limit}`,
        main: true,
      },
    ]
  }, [t, format, now])

  const save = async (values: PromoForm) => {
    if (!may(promo ? 'promo_update' : 'promo_add')) throw refusal('demo_mode')
    await dispatch(
      editPromo(
        promo
          ? { promo: { ...values, id: promo.id }, method: 'Update', quiet: true }
          : { promo: { ...values, createdAt: clock() }, method: 'Add', quiet: true },
      ),
    ).unwrap()
    say('saved')
  }
  const remove = async () => {
    if (!promo || !allowed('promo_delete')) throw new Error('refused')
    await dispatch(editPromo({ promo, method: 'Delete' })).unwrap()
    say('deleted')
  }
  return (
    <ListPage
      id="promos"
      title={t('menu_promos')}
      look={look}
      add={{ label: t('add_promo'), onAdd: () => open('new') }}
      empty={t('no_promos_available')}
      rows={promos}
      columns={columns}
      search={(p) => `${p.promo_name} ${p.promo_description}`}
      onOpen={(p) => open(p.id)}
      {...(may('table_export') && { exportAs: { name: 'promos' } })}
    >
      {(promo || opened === 'new') && (
        <EditPanel<PromoForm>
          key={opened}
          title={promo?.promo_name ?? t('add_promo')}
          schema={promoForm as never}
          initial={promo ? Object.fromEntries(FIELDS.map((field) => [field, promo[field]])) : BLANK}
          onSave={save}
          onClose={() => close()}
          {...(promo && { onRemove: remove })}
        >
          {(field) => (
            <>
              <Section title={t('promo')}>
                <TextField label={t('promo_name')} {...field('promo_name')} />
                <TextField label={t('description')} multiline {...field('promo_description')} />
              </Section>
              <Section title={t('discount')}>
                <SelectField
                  label={t('discount_type')}
                  options={[
                    { value: 'flat', label: t('flat') },
                    { value: 'percentage', label: t('percentage') },
                  ]}
                  {...field('promo_discount_type')}
                />
                <NumberField label={t('discount_value')} {...field('promo_discount_value')} />
                <NumberField
                  label={t('max_discount')}
                  hint={t('zero_is_none')}
                  {...field('max_promo_discount_value')}
                />
                <NumberField label={t('min_order')} {...field('min_order')} />
              </Section>
              <Section title={t('limits')}>
                <DateField
                  label={t('valid_until')}
                  timezone={settings?.timezone}
                  {...field('promo_validity')}
                />
                <NumberField label={t('usage_limit')} {...field('promo_usage_limit')} />
                {promo && (
                  <TextInput label={t('promo_used')} value={promo.user_avail ?? 0} readOnly />
                )}
              </Section>
              {promo && (
                <Section title={t('audit_of_record')}>
                  <AuditTrail path={at.promo(promo.id)} />
                </Section>
              )}
            </>
          )}
        </EditPanel>
      )}
    </ListPage>
  )
}
