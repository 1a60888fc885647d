DROP TABLE "public"."todo";
