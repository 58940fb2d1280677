import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { type PromoForm, promoForm } from '~/domain/forms/catalogForms'
import { dbPaths } from '~/domain/data/databasePaths'
import { editPromo, livePromos } from '~/src/features/promos/promos'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { useCurrentMinute } from '~/src/ui/table/RelativeTime'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { getPriceUnit } from '~/src/ui/forms/fieldUnits'
import {
  DateField,
  NumberField,
  ReadOnlyValue,
  Section,
  SelectField,
  TextField,
} from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useOverlayParam } from '~/src/ui/table/tableState'
import type { BindField, InitialValues } from '~/src/ui/forms/useSchemaForm'
import { AuditTrail } from '../audit/AuditTrail'
import { useEditAuthors } from '../audit/useEditAuthors'
import { getNow } from '../dates'
import { useOfficeSession } from '../useOfficeSession'
import type { Column } from '~/src/ui/table/tableProps'
import type { Promo } from '~/domain/catalog/types'

const FORM_FIELDS = [
  'promo_name',
  'promo_description',
  'promo_discount_type',
  'promo_discount_value',
  'max_promo_discount_value',
  'min_order',
  'promo_validity',
  'promo_usage_limit',
] as const
const EMPTY_FORM: InitialValues<PromoForm> = {
  promo_name: '',
  promo_description: '',
  promo_discount_type: 'percentage',
  promo_discount_value: null,
  max_promo_discount_value: 0,
  min_order: 0,
  promo_validity: null,
  promo_usage_limit: null,
}

const createColumns = (
  t: TFunction,
  currency: string | undefined,
  now: number,
): Column<Promo>[] => [
  {
    id: 'promo_name',
    title: t('promo_name'),
    sortValue: (p) => p.promo_name,
    cell: (p) => p.promo_name,
    isOnCard: true,
  },
  {
    id: 'promo_description',
    title: t('description'),
    sortValue: (p) => p.promo_description,
    cell: (p) => p.promo_description,
  },
  createMoneyColumn({
    id: 'discount',
    title: t('discount'),
    currency,
    amount: (p) => p.promo_discount_value,
    isPercentage: (p) => p.promo_discount_type === 'percentage',
    isOnCard: true,
  }),
  createMoneyColumn({
    id: 'max',
    title: t('max_discount'),
    currency,
    amount: (p) => p.max_promo_discount_value || undefined,
    none: t('none'),
  }),
  createMoneyColumn({
    id: 'min_order',
    title: t('min_order'),
    currency,
    amount: (p) => p.min_order,
  }),
  {
    id: 'promo_validity',
    title: t('valid_until'),
    sortValue: (p) => p.promo_validity,
    exportTime: (p) => p.promo_validity,
    cell: (p) =>
      p.promo_validity < now ? (
        <StatusChip tone="muted">{t('expired')}</StatusChip>
      ) : (
        <DateTime at={p.promo_validity} only="date" />
      ),
    isOnCard: true,
  },
  {
    id: 'used',
    title: t('promo_used'),
    align: 'end',
    sortValue: (p) => p.user_avail ?? 0,
    cell: (p) => `${p.user_avail ?? 0} / ${p.promo_usage_limit}`,
    isOnCard: true,
  },
]

/** Renders the fields of the discount, which is an amount or a part of the fare. */
const DiscountFields = ({ field }: { field: BindField<PromoForm> }) => {
  const { t } = useTranslation()
  const typeField = field('promo_discount_type')
  const type = useWatch({ control: typeField.control, name: typeField.name })
  return (
    <Section title={t('discount')}>
      <SelectField
        label={t('discount_type')}
        options={[
          { value: 'flat', label: t('flat') },
          { value: 'percentage', label: t('percentage') },
        ]}
        {...typeField}
      />
      <NumberField
        label={t('discount_value')}
        unit={getPriceUnit(type)}
        {...field('promo_discount_value')}
      />
      <NumberField
        label={t('max_discount')}
        unit="money"
        hint={t('zero_is_none')}
        {...field('max_promo_discount_value')}
      />
      <NumberField label={t('min_order')} unit="money" {...field('min_order')} />
    </Section>
  )
}

/** Renders the fields of a promo; a new one has no number of uses and no history. */
const PromoFields = ({
  promo,
  field,
}: {
  promo: (Promo & { id: string }) | undefined
  field: BindField<PromoForm>
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useOfficeSession()
  return (
    <>
      <Section title={t('promo')}>
        <TextField label={t('promo_name')} {...field('promo_name')} />
        <TextField label={t('description')} multiline {...field('promo_description')} />
      </Section>
      <DiscountFields field={field} />
      <Section title={t('limits')}>
        <DateField
          label={t('valid_until')}
          timezone={settings?.timezone}
          {...field('promo_validity')}
        />
        <NumberField label={t('usage_limit')} {...field('promo_usage_limit')} />
        {promo && (
          <ReadOnlyValue label={t('promo_used')}>
            {format.number(promo.user_avail ?? 0)}
          </ReadOnlyValue>
        )}
      </Section>
      {promo && (
        <Section title={t('audit_of_record')}>
          <AuditTrail path={dbPaths.promo(promo.id)} />
        </Section>
      )}
    </>
  )
}

/** Edits a promo, or adds one. */
const PromoPanel = ({
  promo,
  onClose,
}: {
  promo: (Promo & { id: string }) | undefined
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { canOrNotify, can, notify } = useOfficeSession()
  const authors = useEditAuthors(promo && dbPaths.promo(promo.id))
  const save = async (values: PromoForm, changes: Partial<PromoForm>) => {
    if (!can(promo ? 'promo_update' : 'promo_add')) throw domainError('demo_mode')
    await dispatch(
      editPromo.quiet(
        promo
          ? { promo: { ...changes, id: promo.id }, method: 'Update' }
          : { promo: { ...values, createdAt: getNow() }, method: 'Add' },
      ),
    ).unwrap()
    notify('saved')
  }
  const remove = async () => {
    if (!promo || !canOrNotify('promo_delete')) throw new Error('refused')
    await dispatch(editPromo({ promo, method: 'Delete' })).unwrap()
    notify('deleted')
  }
  return (
    <EditPanel<PromoForm>
      title={promo?.promo_name ?? t('add_promo')}
      schema={promoForm}
      initial={
        promo ? Object.fromEntries(FORM_FIELDS.map((field) => [field, promo[field]])) : EMPTY_FORM
      }
      onSave={save}
      {...authors}
      onClose={onClose}
      {...(promo && { onRemove: remove })}
    >
      {(field) => <PromoFields promo={promo} field={field} />}
    </EditPanel>
  )
}

/** Lists the discounts for riders: their amount, conditions, number of uses and end date. */
export const PromosPage = () => {
  const { t } = useTranslation()
  const { settings, can } = useOfficeSession()
  const currency = settings?.code
  const { promos, ...listQuery } = useLive(livePromos)
  const { opened, open, linkTo, close } = useOverlayParam('edit')
  const now = useCurrentMinute()
  const promo = promos.find(({ id }) => id === opened)
  const columns = useMemo(() => createColumns(t, currency, now), [t, currency, now])
  return (
    <ListPage
      id="promos"
      title={t('menu_promos')}
      query={listQuery}
      add={{ label: t('add_promo'), onAdd: () => open('new') }}
      empty={t('no_promos_available')}
      rows={promos}
      columns={columns}
      toSearchText={(p) => `${p.promo_name} ${p.promo_description}`}
      linkTo={(p) => linkTo(p.id)}
      onOpen={(p) => open(p.id)}
      openedId={opened}
      {...(can('table_export') && { exportAs: { name: 'promos' } })}
    >
      {(promo || opened === 'new') && (
        <PromoPanel key={opened} promo={promo} onClose={() => close()} />
      )}
    </ListPage>
  )
}
