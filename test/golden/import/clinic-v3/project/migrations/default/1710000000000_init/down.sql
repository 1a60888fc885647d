drop table visit, patient, urgency, ward cascade;
