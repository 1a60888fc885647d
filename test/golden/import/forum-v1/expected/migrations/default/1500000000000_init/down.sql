drop table topic cascade; drop table board;
